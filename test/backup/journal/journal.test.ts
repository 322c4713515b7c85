// The journal: its lines, the last act of each user, deletions, the time it reaches to, and damaged lines.
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { createBackupKey, requireMac } from '../../../src/backup/backup-mac.ts';
import {
  emptyJournal,
  type JournalLine,
  journalOverlapMilliseconds,
  parseLine,
  readDeletions,
  readJournal,
  readLastActs,
  writeEntry,
} from '../../../src/backup/journal/journal.ts';
import { BackupError } from '../../../src/backup/snapshot.ts';
import { fileId } from '../../helpers/blobs/memory-files.ts';
import { seed } from '../../helpers/faults/rounds.ts';
import { userIdOf } from '../../helpers/people/ids.ts';
import { useTemporaryFolders } from '../stage/small-backup.ts';

const [ann, bob, old, fresh] = [userIdOf('ann'), userIdOf('bob'), userIdOf('old'), userIdOf('new')];
const fil = fileId(7);
const noon = Date.UTC(2031, 4, 5, 12);

describe('a line of the journal', () => {
  for (const line of [
    { kind: 'mark', at: noon },
    { kind: 'user.deleted', id: ann, at: noon },
    { kind: 'file.deleted', id: fil, at: 0 },
    { kind: 'email.replaced', id: ann, at: noon },
  ] as JournalLine[]) {
    it(`${line.kind} is read as it was written`, () => assert.deepEqual(parseLine(writeEntry(line)), line));
  }

  for (const text of [
    '',
    'null',
    '5',
    '[]',
    '{}',
    '{"kind":"mark"}',
    '{"kind":"mark","at":"5"}',
    '{"kind":"mark","at":null}',
    '{"kind":"user.deleted","at":5}',
    '{"kind":"user.deleted","id":7,"at":5}',
    '{"kind":"user.created","id":"ann","at":5}',
    '{"kind":"user.merged","id":"ann","at":5}',
    '{"kind":"toString","id":"ann","at":5}',
    '{"id":"ann","at":5}',
    `{"kind":"user.blocked","id":"${ann}","at":1e300}`,
    `{"kind":"user.blocked","id":"${ann}","at":-1}`,
    `{"kind":"user.deleted","id":"${ann}","at":1.5}`,
    `{"kind":"email.removed","id":"${ann}","at":${Date.UTC(10_000, 0, 1)}}`,
    '{"kind":"mark","at":1e300}',
    '{"kind":"mark","at":9007199254740992}',
    '{"kind":"user.deleted","id":"ann","at":5',
  ]) {
    it(`${text || 'an empty text'} is no line`, () => assert.equal(parseLine(text), undefined));
  }

  it('a line that was cut off anywhere is refused', () => {
    const whole = writeEntry({ kind: 'user.deleted', id: ann, at: noon });
    for (let length = 0; length < whole.length; length++) assert.equal(parseLine(whole.slice(0, length)), undefined);
  });
});

describe('a journal', () => {
  const newFolder = useTemporaryFolders();
  const write = (text: string) => {
    const path = join(newFolder(), 'journal');
    writeFileSync(path, text);
    return path;
  };
  const lines = (...all: JournalLine[]) => write(all.map((line) => `${writeEntry(line)}\n`).join(''));

  it('of each user the last block and the last address count, by time and then by place', async () => {
    const { blocks, addresses, reachesTo } = await readLastActs(
      lines(
        { kind: 'user.blocked', id: ann, at: 5 },
        { kind: 'user.unblocked', id: ann, at: 7 },
        { kind: 'user.blocked', id: ann, at: 6 },
        { kind: 'user.blocked', id: bob, at: 1 },
        { kind: 'user.unblocked', id: bob, at: 1 },
        { kind: 'email.replaced', id: ann, at: 3 },
        { kind: 'mark', at: 9 },
        { kind: 'email.removed', id: ann, at: 4 },
      ),
    );
    assert.deepEqual(
      [...blocks.values()].map(({ id, kind, at }) => `${id} ${kind} ${at}`),
      [`${ann} user.unblocked 7`, `${bob} user.unblocked 1`],
    );
    assert.deepEqual([...addresses.keys()], [ann]);
    assert.equal(addresses.get(ann)?.kind, 'email.removed');
    assert.equal(reachesTo, 9);
  });

  it('deletions are handed on in the order of the file', async () => {
    const path = lines(
      { kind: 'user.deleted', id: ann, at: 5 },
      { kind: 'user.blocked', id: bob, at: 5 },
      { kind: 'mark', at: 5 },
      { kind: 'file.deleted', id: fil, at: 4 },
    );
    const found: string[] = [];
    for await (const { id } of readDeletions(path)) found.push(id);
    assert.deepEqual(found, [ann, fil]);
    const handed: string[] = [];
    await readLastActs(path, { onDeletion: ({ id }) => handed.push(id) });
    assert.deepEqual(handed, [ann, fil]);
  });

  it('what is older than the moment by more than the overlap is left out, and the reach counts every line', async () => {
    const border = noon - journalOverlapMilliseconds;
    const journal = await readJournal(
      lines(
        { kind: 'user.deleted', id: old, at: border },
        { kind: 'user.deleted', id: fresh, at: border + 1 },
        { kind: 'user.blocked', id: old, at: border },
        { kind: 'user.blocked', id: fresh, at: border + 1 },
        { kind: 'email.removed', id: old, at: border },
        { kind: 'email.removed', id: fresh, at: border + 1 },
        { kind: 'mark', at: border + 1 },
      ),
      noon,
    );
    assert.deepEqual([...journal.deleted], [fresh]);
    assert.deepEqual([...journal.blocks.keys()], [fresh]);
    assert.deepEqual([...journal.addresses.keys()], [fresh]);
    assert.equal(journal.reachesTo, border + 1);
  });

  it('with a key, each line must carry its MAC, and none of another line', async () => {
    const key = createBackupKey('k'.repeat(32));
    const check = requireMac([key], false);
    const [gone, mark]: JournalLine[] = [
      { kind: 'user.deleted', id: ann, at: noon },
      { kind: 'mark', at: noon },
    ];
    const signed = writeEntry(gone as JournalLine, key);
    assert.deepEqual(parseLine(signed), gone, 'a reader without a key takes it as before');
    assert.deepEqual(
      [...(await readJournal(write(`${signed}\n${writeEntry(mark as JournalLine, key)}\n`), noon, check)).deleted],
      [ann],
    );
    for (const [text, says] of [
      [writeEntry(gone as JournalLine), /has no MAC/],
      [signed.replace(ann, bob), /its MAC is wrong/],
      [signed.replace(String(noon), String(noon + 1)), /its MAC is wrong/],
      [writeEntry(gone as JournalLine, createBackupKey('x'.repeat(32))), /made with another BACKUP_KEY/],
    ] as const)
      await assert.rejects(readJournal(write(`${text}\n`), noon, check), says);
    await assert.rejects(readJournal(write(`${signed}\n`), noon, requireMac([], false)), /BACKUP_KEY is not set/);
    await readJournal(write(`${signed}\n${writeEntry(gone as JournalLine)}\n`), noon, requireMac([key], true));
  });

  it('an id that could be a path, or a line that never ends, is refused', async () => {
    for (const text of [
      `{"kind":"file.deleted","id":"../../x","at":${noon}}\n{"kind":"mark","at":1}\n`,
      `{"kind":"user.deleted","id":"${fil}","at":${noon}}\n{"kind":"mark","at":1}\n`,
      `${'x'.repeat(5000)}\n`,
    ])
      await assert.rejects(readJournal(write(text), noon), BackupError);
  });

  const good = writeEntry({ kind: 'user.deleted', id: ann, at: noon });
  it('a time that no clock gives is refused, also in the last line', async () => {
    for (const at of ['1e300', '-5', '0.5', String(Date.UTC(10_000, 0, 1))])
      for (const start of [`{"kind":"user.blocked","id":"${ann}"`, '{"kind":"mark"'])
        for (const text of [
          `${start},"at":${at}}\n`,
          `${good}\n${start},"at":${at}}\n`,
          `${good}\n${start},"at":${at}}`,
        ])
          await assert.rejects(readJournal(write(text), noon), BackupError, text);
  });

  it('an empty journal is like none', async () => {
    assert.deepEqual(await readJournal(write(''), noon), emptyJournal);
    assert.deepEqual(await readJournal(write('\n\n'), noon), emptyJournal);
  });

  for (const [what, text, isRead] of [
    ['a last line that is cut off', `${good}\n${good.slice(0, 20)}`, true],
    ['a last line without its line break', good, true],
    ['a line in between that cannot be read', `${good}\n${good.slice(0, 20)}\n${good}\n`, false],
    ['two last lines that cannot be read', `${good}\nx\ny`, false],
    ['nothing but a line that cannot be read', 'x', false],
  ] as const) {
    it(`a journal with ${what} is ${isRead ? 'read up to it' : 'refused'}`, async () => {
      const read = readJournal(write(text), noon);
      if (isRead) assert.deepEqual([...(await read).deleted], [ann]);
      else await assert.rejects(read, BackupError);
    });
  }

  it('a line that cannot be read, or that has no MAC, is reported with its number', async () => {
    const key = createBackupKey('x'.repeat(32));
    const signed = writeEntry({ kind: 'mark', at: noon }, key);
    const check = requireMac([key], false);
    for (const [text, says] of [
      [`${good}\nx\n${good}\n`, /a line that cannot be read \(number 2 of those that are not empty\)/],
      [`\n${good}\n\n${good}\n{}\n`, /a line that cannot be read \(number 3 of/],
      ['x', /a line that cannot be read \(number 1 of/],
    ] as const)
      await assert.rejects(readJournal(write(text), noon), says);
    await assert.rejects(
      readJournal(write(`${signed}\n${good}\n`), noon, check),
      /A line of the journal has no MAC, so it may be forged/,
    );
  });

  it('a journal that does not exist is refused with its path', () =>
    assert.rejects(readJournal(join(newFolder(), 'none'), noon), /none cannot be read\. Write it with/));

  it('a folder in the place of a journal is refused with its path', async () => {
    const folder = newFolder();
    await assert.rejects(
      readJournal(folder, noon),
      new BackupError(`${folder} is a folder. Name the file that backup journal has written.`),
    );
  });

  it('cut off at any byte after its first line, a journal gives what stands before', async () => {
    const all = Array.from({ length: 4 }, (_, index) =>
      writeEntry({ kind: 'file.deleted', id: fileId(index), at: noon + index }),
    );
    const text = `${all.join('\n')}\n`;
    const property = fc.asyncProperty(
      fc.integer({ min: (all[0]?.length ?? 0) + 1, max: text.length }),
      async (length) => {
        const { deleted } = await readJournal(write(text.slice(0, length)), noon);
        const whole = all.filter((_, index) => all.slice(0, index + 1).join('\n').length <= length);
        assert.equal(deleted.size, whole.length);
      },
    );
    await fc.assert(property, { seed, numRuns: 12 });
  });
});
