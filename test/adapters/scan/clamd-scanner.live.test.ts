// The scanner against a clamd that answers early, late, never, too much or not at all: no such answer ever means clean.

import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import type { Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, afterEach, before, describe, it } from 'node:test';
import { createClamdScanner } from '../../../src/adapters/scan/clamd-scanner.ts';
import { testFile } from '../../../src/adapters/scan/test-file.ts';
import type { Scan, Verdict } from '../../../src/files/uploads/scanner.ts';
import type { UserId } from '../../../src/kernel/ids.ts';
import { freePort } from '../../helpers/databases/postgres-server.ts';
import { asUserId } from '../../helpers/people/ids.ts';
import { type ClamdAct, type FakeClamd, spoolOf, startFakeClamd } from '../../helpers/uploads/fake-clamd.ts';
import { waitUntil } from '../../helpers/wait-until.ts';

const patient = 60_000;

describe('a scan by clamd', () => {
  let clamd: FakeClamd;
  before(async () => {
    clamd = await startFakeClamd();
  });
  afterEach(() => clamd.act(undefined));
  after(() => clamd.stop());

  const scanOf = (bytes: Buffer, changes: Partial<Scan> = {}): Scan => ({
    userId: asUserId('ann'),
    spool: spoolOf(bytes),
    milliseconds: patient,
    signal: new AbortController().signal,
    ...changes,
  });
  const scan = (bytes: Buffer, changes: Partial<Scan> = {}) =>
    createClamdScanner(clamd.place).scan(scanOf(bytes, changes));
  const troubleOf = (verdict: Verdict) =>
    verdict.kind === 'unscanned' ? `${verdict.trouble}: ${verdict.detail}` : verdict.kind;

  for (const size of [1, 1000, 128 * 1024, 128 * 1024 + 1, 5_000_000])
    it(`a file of ${size} bytes arrives whole, and is clean`, async () => {
      const bytes = Buffer.alloc(size, 'gatehouse');
      assert.deepEqual(await scan(bytes), { kind: 'clean' });
      assert.deepEqual(clamd.files.at(-1), bytes);
      await waitUntil('the connection is closed', () => clamd.open === 0);
    });

  it('an infected file is found, and what was found has its name', async () => {
    assert.deepEqual(await scan(testFile()), { kind: 'infected', signature: 'Eicar-Test-Signature' });
  });

  const answer =
    (text: string, isEnding = true): ClamdAct =>
    (socket, { file }) => {
      if (file === undefined) return false;
      for (const byte of text) socket.write(byte);
      if (isEnding) socket.end();
      return true;
    };
  const onceBytesCome =
    (act: (socket: Socket) => void): ClamdAct =>
    (socket, { received }) => {
      if (received === 0) return false;
      act(socket);
      return true;
    };
  const large = Buffer.alloc(12_000_000);
  const cases: readonly [what: string, bytes: Buffer, act: ClamdAct, expected: string][] = [
    ['an answer in single bytes', testFile(), answer('stream: OK\0'), 'clean'],
    ['an answer that goes on after its end', testFile(), answer('stream: OK\0stream: X FOUND\0', false), 'clean'],
    ['an answer without an end', testFile(), answer('stream: OK'), 'refused: clamd answered "stream: OK"'],
    ['a name without an end', testFile(), answer('stream: Name FOUND'), 'infected'],
    ['half an answer', testFile(), answer('stream: O'), 'refused: clamd answered "stream: O"'],
    ['no answer', testFile(), answer(''), 'unreachable: it closed the connection without an answer'],
    [
      'an error',
      testFile(),
      answer('Failed to open file ERROR\0'),
      'refused: clamd answered "Failed to open file ERROR"',
    ],
    ['an endless answer', testFile(), answer('x'.repeat(5000), false), 'refused: the answer is too long'],
    [
      'a finding before the end of the file',
      large,
      onceBytesCome((socket) => socket.end('stream: Early.Name FOUND\0')),
      'infected',
    ],
    [
      'clean before the end of the file',
      large,
      onceBytesCome((socket) => socket.write('stream: OK\0')),
      'refused: clamd answered "stream: OK"',
    ],
    ['a web server', testFile(), onceBytesCome((socket) => socket.end('HTTP/1.1 400 Bad Request\r\n\r\n')), 'refused'],
  ];
  for (const [what, bytes, act, expected] of cases)
    it(`a scan ends as “${expected}”: ${what}`, async () => {
      clamd.act(act);
      assert.ok(troubleOf(await scan(bytes)).startsWith(expected));
      await waitUntil('the connection is closed', () => clamd.open === 0);
    });

  it('a connection that is reset in the middle of a file means unreachable', async () => {
    clamd.act(onceBytesCome((socket) => socket.resetAndDestroy()));
    const verdict = await scan(large);
    assert.equal(verdict.kind === 'unscanned' && verdict.trouble, 'unreachable');
  });

  it('a file over the limit of clamd means limit, even if the answer is lost with the connection', async () => {
    let rounds = 0;
    clamd.act((socket, { command }) => {
      if (command !== 'INSTREAM') return false;
      rounds += 1;
      if (rounds === 1) socket.resetAndDestroy();
      else socket.end('INSTREAM size limit exceeded. ERROR\0');
      return true;
    });
    assert.equal(troubleOf(await scan(large)), 'limit: the file is larger than StreamMaxLength of clamd');
    assert.equal(rounds, 2);
  });

  for (const [what, act] of [
    ['takes the file and does not answer', (_socket, { file }) => file !== undefined],
    ['does not take the file', onceBytesCome((socket) => socket.pause())],
    ['accepts the connection and is silent', (socket) => Boolean(socket.pause())],
  ] as const satisfies readonly (readonly [string, ClamdAct])[])
    it(`a clamd that ${what} is slow, and its connection is closed`, async () => {
      clamd.act(act);
      assert.equal(troubleOf(await scan(large, { milliseconds: 300 })), 'slow: no answer in time');
      clamd.resume();
      await waitUntil('the connection is closed', () => clamd.open === 0);
    });

  it('a scan ends at once when its client disconnects, with the reason, and its connection is closed', async () => {
    clamd.act((_socket, { file }) => file !== undefined);
    const client = new AbortController();
    const scanning = scan(Buffer.from('abc'), { signal: client.signal });
    await waitUntil('the scan is under way', () => clamd.open === 1);
    client.abort(new Error('gone'));
    await assert.rejects(scanning, /gone/);
    await waitUntil('the connection is closed', () => clamd.open === 0);
    await assert.rejects(scan(Buffer.from('abc'), { signal: client.signal }), /gone/);
  });

  it('nothing listens: the file is not scanned, and the reason is named', async () => {
    const scanner = createClamdScanner({ host: '127.0.0.1', port: await freePort() });
    assert.equal(troubleOf(await scanner.scan(scanOf(testFile()))), 'unreachable: ECONNREFUSED');
    const missing = createClamdScanner({ path: join(tmpdir(), 'no such socket') });
    assert.equal(troubleOf(await missing.scan(scanOf(testFile()))), 'unreachable: ENOENT');
  });

  it('a host that does not answer at all is given up after the time for connections', async () => {
    // An address for documentation, to which no packet has a way.
    const scanner = createClamdScanner({ host: '192.0.2.1', port: 3310 }, { connectMilliseconds: 50 });
    const verdict = await scanner.scan(scanOf(testFile()));
    assert.equal(verdict.kind === 'unscanned' && verdict.trouble, 'unreachable');
  });

  it('a clamd that comes back is used again', async () => {
    const port = await freePort();
    const scanner = createClamdScanner({ host: '127.0.0.1', port });
    for (const round of [1, 2]) {
      assert.equal(troubleOf(await scanner.scan(scanOf(testFile()))), 'unreachable: ECONNREFUSED', `${round}`);
      const back = await startFakeClamd({ port });
      assert.equal(troubleOf(await scanner.scan(scanOf(testFile()))), 'infected');
      await back.stop();
    }
  });

  it('clamd is reached over IPv6 and over a Unix socket', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'gatehouse-clamd-'));
    for (const at of [{ host: '::1' }, { path: join(folder, 'clamd.ctl') }]) {
      const other = await startFakeClamd(at);
      assert.equal((await createClamdScanner(other.place).scan(scanOf(testFile()))).kind, 'infected');
      await other.stop();
    }
    rmSync(folder, { recursive: true });
  });

  it('a spool that cannot be read is no verdict: its error is thrown', async () => {
    const broken = { size: 10, reader: { size: 10, read: () => Promise.reject(new Error('EIO')) } };
    await assert.rejects(scan(testFile(), { spool: broken }), /EIO/);
    const short = { size: 10, reader: { size: 10, read: async () => Buffer.alloc(9) } };
    await assert.rejects(scan(testFile(), { spool: short }), { code: 'STORAGE_UNAVAILABLE' });
    await waitUntil('the connections are closed', () => clamd.open === 0);
  });

  it('few files are scanned at once, at most two of one user, and one user does not hold up another', async () => {
    const server = await startFakeClamd();
    const waiting: Socket[] = [];
    let most = 0;
    server.act((socket, { file }) => {
      if (file === undefined) return false;
      waiting.push(socket);
      most = Math.max(most, waiting.length);
      return true;
    });
    const scanner = createClamdScanner(server.place, { mostAtOnce: 3 });
    const order: string[] = [];
    const scans = ['ann', 'ann', 'ann', 'ann', 'bob', 'cid'].map((userId) =>
      scanner
        .scan(scanOf(Buffer.from(userId), { userId: asUserId(userId) }))
        .then(({ kind }) => order.push(`${userId} ${kind}`)),
    );
    await waitUntil('three files are being scanned', () => waiting.length === 3);
    for (let done = 0; done < scans.length; done++) {
      await waitUntil('a file is being scanned', () => waiting.length > 0);
      waiting.shift()?.end('stream: OK\0');
      await waitUntil('it has its verdict', () => order.length > done);
    }
    await Promise.all(scans);
    assert.equal(most, 3);
    assert.deepEqual(order.slice(0, 3), ['ann clean', 'ann clean', 'bob clean']);
    await server.stop();
  });

  it('a user who has too many files waiting is told so, and none of them counts as not scanned', async () => {
    clamd.act((_socket, { file }) => file?.length === 3);
    const scanner = createClamdScanner(clamd.place, { mostAtOnce: 3 });
    const client = new AbortController();
    const { signal } = client;
    const own = Array.from({ length: 66 }, () => scanner.scan(scanOf(Buffer.from('abc'), { signal })));
    const gone = own.map((each) => assert.rejects(each, /gone/));
    const refused = { code: 'RATE_LIMITED', detail: { retryAfterSeconds: 5 } };
    await assert.rejects(scanner.scan(scanOf(testFile())), refused);
    assert.equal((await scanner.scan(scanOf(testFile(), { userId: asUserId('bob') }))).kind, 'infected');
    client.abort(new Error('gone'));
    await Promise.all(gone);
  });

  it('in a full queue, the user with most waiting is refused, and no file counts as not scanned', async () => {
    clamd.act((_socket, { file }) => file !== undefined);
    const scanner = createClamdScanner(clamd.place, { mostAtOnce: 1 });
    const client = new AbortController();
    const { signal } = client;
    const outcomes: string[] = [];
    const open = (userId: UserId) =>
      scanner.scan(scanOf(Buffer.from('abc'), { userId, signal })).then(
        ({ kind }) => outcomes.push(kind),
        (error: Error & { code?: string }) => outcomes.push(`${userId} ${error.code ?? error.message}`),
      );
    const scans = [
      open(asUserId('first')),
      ...Array.from({ length: 256 }, (_, at) => open(asUserId(`user ${at % 4}`))),
    ];
    scans.push(open(asUserId('eve')));
    await waitUntil('one gives way', () => outcomes.length === 1);
    assert.match(outcomes[0] ?? '', /^user \d RATE_LIMITED$/);
    scans.push(...Array.from({ length: 255 }, (_, at) => open(asUserId(`other ${at}`))));
    await open(asUserId('last'));
    assert.equal(outcomes.at(-1), 'last SERVICE_UNAVAILABLE');
    client.abort(new Error('gone'));
    await Promise.all(scans);
    assert.deepEqual([...new Set(outcomes.map((each) => each.split(' ').at(-1) ?? ''))].toSorted(), [
      'RATE_LIMITED',
      'SERVICE_UNAVAILABLE',
      'gone',
    ]);
  });

  it('a file that waits too long behind other files of its user is refused, and does not count as not scanned', async () => {
    clamd.act((_socket, { file }) => file !== undefined);
    const scanner = createClamdScanner(clamd.place);
    const client = new AbortController();
    const slow = ['a', 'b'].map((text) =>
      assert.rejects(scanner.scan(scanOf(Buffer.from(text), { signal: client.signal })), /gone/),
    );
    await assert.rejects(scanner.scan(scanOf(testFile(), { milliseconds: 50 })), { code: 'RATE_LIMITED' });
    client.abort(new Error('gone'));
    await Promise.all(slow);
  });

  it('a file that gets no turn in time is not scanned, and gives up its place', async () => {
    clamd.act((_socket, { file }) => file !== undefined);
    const scanner = createClamdScanner(clamd.place, { mostAtOnce: 1 });
    const client = new AbortController();
    const first = scanner.scan(scanOf(Buffer.from('abc'), { signal: client.signal }));
    assert.equal(
      troubleOf(await scanner.scan(scanOf(testFile(), { userId: asUserId('bob'), milliseconds: 50 }))),
      'slow: no answer in time',
    );
    client.abort(new Error('gone'));
    await assert.rejects(first, /gone/);
    clamd.act(undefined);
    assert.equal((await scanner.scan(scanOf(testFile(), { userId: asUserId('bob') }))).kind, 'infected');
  });
});
