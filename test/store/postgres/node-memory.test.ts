// What a node keeps of its cluster, and which databases it takes for those of another installation.
import assert from 'node:assert/strict';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, beforeEach, describe, it } from 'node:test';
import { newInstallationId } from '../../../src/files/storage/installation.ts';
import type { Doubt, ServerState } from '../../../src/store/postgres/choose-server.ts';
import { memoryFile, readMemory, writeMemory } from '../../../src/store/postgres/cluster-memory.ts';
import { openNodeMemory } from '../../../src/store/postgres/node-memory.ts';

const ours = newInstallationId();
const theirs = newInstallationId();
const seen = { system: '7', timeline: 2, adoptedAt: 0 };

const server = (installation: string | undefined): ServerState => ({
  kind: 'writable',
  system: '7',
  timeline: 2,
  startedAt: 'then',
  row: undefined,
  installation,
});
const silent = () => Promise.reject(new Error('the storage is away'));

describe('the memory of a node', () => {
  const folder = mkdtempSync(join(tmpdir(), 'gatehouse-node-memory-'));
  after(() => rmSync(folder, { recursive: true, force: true }));
  const file = memoryFile(folder);
  beforeEach(() => rmSync(file, { force: true }));
  const open = (readMark?: () => Promise<string | undefined>) =>
    openNodeMemory({ dataDir: folder, isService: true, readMark });
  const doubtOf = async (memory: ReturnType<typeof open>, installation: string | undefined) => {
    const [state] = await memory.doubtStrangers([server(installation)]);
    return state?.kind === 'writable' ? state.doubt : assert.fail();
  };

  it('is kept once the database has the installation id of the storage, and not before', async () => {
    let mark: string | undefined;
    const memory = open(async () => mark);
    assert.equal(await doubtOf(memory, undefined), undefined);
    assert.equal(memory.learn(seen, server(undefined)), false);
    assert.equal(await doubtOf(memory, theirs), undefined, 'nothing is known yet');
    assert.equal(memory.learn(seen, server(theirs)), false);
    assert.equal(existsSync(file), false);
    mark = ours;
    await memory.askStorage();
    assert.equal(await doubtOf(memory, ours), undefined);
    assert.equal(memory.learn(seen, server(ours)), true);
    assert.deepEqual(readMemory(file), { ...seen, installation: ours });
    assert.deepEqual(memory.latest(), { ...seen, installation: ours });
  });

  const cases: [what: string, known: string | undefined, mark: string | undefined, Doubt | undefined][] = [
    ['the database that is known', ours, ours, undefined],
    ['another, by the storage too', theirs, theirs, 'other installation'],
    ['both were joined anew', theirs, ours, undefined],
    ['the storage was given to another database, which the check of both finds', ours, theirs, undefined],
    ['the storage is new', ours, undefined, undefined],
    ['another, beside a storage that has no id yet', theirs, undefined, 'unproved'],
    ['the file of an older version', undefined, ours, undefined],
    ['the file of an older version, and another', undefined, theirs, 'other installation'],
  ];
  for (const [what, known, mark, doubt] of cases)
    it(`${what}: ${doubt ?? 'followed'}`, async () => {
      writeMemory(file, { ...seen, installation: known });
      assert.equal(
        await doubtOf(
          open(async () => mark),
          ours,
        ),
        doubt,
      );
    });

  it('a database that was never started is followed only with a storage that is new, too', async () => {
    writeMemory(file, { ...seen, installation: ours });
    assert.equal(
      await doubtOf(
        open(async () => undefined),
        undefined,
      ),
      undefined,
    );
    assert.equal(
      await doubtOf(
        open(async () => ours),
        undefined,
      ),
      'other installation',
    );
    assert.equal(await doubtOf(open(silent), undefined), 'unproved');
  });

  it('without an answer of the storage the file decides, if it names the installation', async () => {
    writeMemory(file, { ...seen, installation: ours });
    for (const readMark of [silent, undefined]) {
      assert.equal(await doubtOf(open(readMark), ours), undefined);
      assert.equal(await doubtOf(open(readMark), theirs), 'unproved');
    }
    rmSync(file);
    writeMemory(file, { ...seen, installation: undefined });
    assert.equal(await doubtOf(open(silent), theirs), undefined);
  });

  it('the storage is not asked about the database that is known', async () => {
    writeMemory(file, { ...seen, installation: ours });
    assert.equal(
      await doubtOf(
        open(() => assert.fail()),
        ours,
      ),
      undefined,
    );
  });

  it('a node without a file refuses a database whose id the storage does not have, and follows one that is new', async () => {
    const memory = open(async () => theirs);
    assert.equal(await doubtOf(memory, undefined), undefined);
    assert.equal(await doubtOf(memory, ours), 'other installation');
    assert.equal(await doubtOf(memory, theirs), undefined);
    assert.equal(existsSync(file), false);
  });

  it('a node that was never proved waits for a storage that hangs once, and not if its answer can change nothing', async (context) => {
    context.mock.timers.enable({ apis: ['setTimeout'] });
    let reads = 0;
    const memory = open(() => {
      reads += 1;
      return new Promise(() => undefined);
    });
    assert.equal(await doubtOf(memory, undefined), undefined);
    assert.equal(reads, 0);
    const first = doubtOf(memory, ours);
    context.mock.timers.tick(1000);
    assert.equal(await first, undefined);
    for (let look = 0; look < 20; look += 1) assert.equal(await doubtOf(memory, ours), undefined);
    assert.equal(reads, 1);
    context.mock.timers.tick(2000);
  });

  it('a node that was never proved is so once the storage has answered in the background', async () => {
    let answer: (id: string) => void = () => undefined;
    const mark = new Promise<string>((resolve) => {
      answer = resolve;
    });
    const reads = [() => Promise.reject(new Error('the storage is away')), () => mark];
    const memory = open(() => (reads.shift() ?? assert.fail)());
    assert.equal(await doubtOf(memory, ours), undefined);
    assert.equal(memory.learn(seen, server(ours)), false);
    const asked = memory.askStorage();
    assert.equal(await doubtOf(memory, ours), undefined);
    answer(ours);
    await asked;
    assert.equal(memory.learn(seen, server(ours)), true);
    assert.equal(readMemory(file).installation, ours);
  });

  it('looks at once share one question to the storage, and its refusal is kept for a moment', async () => {
    writeMemory(file, { ...seen, installation: ours });
    let reads = 0;
    const memory = open(() => {
      reads += 1;
      return silent();
    });
    const doubts = await Promise.all(Array.from({ length: 20 }, () => doubtOf(memory, theirs)));
    assert.deepEqual(new Set([...doubts, await doubtOf(memory, theirs)]), new Set(['unproved']));
    assert.equal(reads, 1);
  });

  it('a failover is kept beside the file of an older version while the storage is away, and another cluster is not', async () => {
    writeMemory(file, { ...seen, installation: undefined });
    const memory = open(silent);
    const moveTo = async (system: string, timeline: number) => {
      assert.equal(await doubtOf(memory, ours), undefined);
      memory.latest();
      memory.learn({ ...seen, system, timeline }, server(ours));
      return readMemory(file);
    };
    assert.deepEqual(await moveTo('7', 3), { ...seen, timeline: 3, installation: undefined });
    assert.deepEqual(await moveTo('8', 4), { ...seen, timeline: 3, installation: undefined });
  });

  it('a command doubts nothing and keeps nothing', async () => {
    writeMemory(file, { ...seen, installation: ours });
    const memory = openNodeMemory({ dataDir: folder });
    assert.equal(await doubtOf(memory, theirs), undefined);
    memory.learn({ ...seen, timeline: 9 }, server(theirs));
    assert.deepEqual(readMemory(file), { ...seen, installation: ours });
  });

  it('a damaged file ends a service, and not a command, which can replace it', () => {
    writeFileSync(file, '{');
    assert.throws(() => open().latest(), { code: 'CLUSTER_FILE' });
    const command = openNodeMemory({ dataDir: folder });
    assert.equal(command.latest().timeline, 0);
    assert.equal(command.damagedFile(), file);
    command.repair(seen);
    assert.deepEqual(readMemory(file), { ...seen, installation: undefined });
    assert.equal(command.damagedFile(), undefined);
    command.repair({ ...seen, timeline: 1 });
    assert.equal(readMemory(file).timeline, 2, 'a whole file stays');
  });
});
