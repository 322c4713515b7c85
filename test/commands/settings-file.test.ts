// Which files of settings are read, and what is reported of the others.
import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { readSettingsFile, textOf } from '../../src/commands/settings-file.ts';

describe('a file of settings', () => {
  let folder: string;
  before(() => {
    folder = mkdtempSync(join(tmpdir(), 'gatehouse-settings-file-'));
    mkdirSync(join(folder, 'folder'));
    writeFileSync(join(folder, 'good'), 'PORT=1\n');
    writeFileSync(join(folder, 'longest'), '#'.repeat(2 ** 20));
    writeFileSync(join(folder, 'long'), '#'.repeat(2 ** 20 + 1));
  });
  after(() => rmSync(folder, { recursive: true }));

  it('is read up to 1 MiB', () => {
    assert.equal(readSettingsFile(join(folder, 'good')), 'PORT=1\n');
    assert.equal(readSettingsFile(join(folder, 'longest'))?.length, 2 ** 20);
  });

  it('may be masked', () => assert.equal(readSettingsFile('/dev/null'), ''));

  it('may be missing', () => {
    assert.equal(readSettingsFile(join(folder, 'none')), undefined);
    assert.equal(readSettingsFile(join(folder, 'good/none')), undefined);
  });

  for (const [path, trouble, cure] of [
    ['folder', 'is a folder', 'name a file or a pipe'],
    ['/dev/zero', 'is no file', 'name a file or a pipe'],
    ['long', 'has more than 1 MiB', 'name a file with lines NAME=value and nothing else'],
  ] as const) {
    it(`is refused: it ${trouble} (${path})`, () => {
      const read = () => readSettingsFile(path.startsWith('/') ? path : join(folder, path));
      assert.throws(read, { message: trouble, cure });
    });
  }

  for (const [text, lines] of [
    ['A=1\nB=2', ['A=1', 'B=2']],
    ['A=1\r\nB=2\r\n', ['A=1', 'B=2', '']],
    ['A=1\rB=2', ['A=1', 'B=2']],
  ] as const) {
    it(`${JSON.stringify(text)} has ${lines.length} lines`, () =>
      assert.deepEqual(textOf(Buffer.from(text)).split('\n'), lines));
  }

  it('is refused in UTF-16, and with other bytes that are no text', () => {
    for (const bytes of [Buffer.from('PORT=1\n', 'utf16le'), Buffer.from('PORT=1\0\n')])
      assert.throws(() => textOf(bytes), {
        message: 'holds bytes that are no text',
        cure: 'save it as UTF-8, with lines NAME=value',
      });
  });
});
