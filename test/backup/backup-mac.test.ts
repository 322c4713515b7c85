// The MAC of a backup: which key made it, and every way in which it can be missing or wrong.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { createBackupKey, judgeMac, requireMac } from '../../src/backup/backup-mac.ts';
import { BackupError } from '../../src/backup/snapshot.ts';

const [now, before, other] = ['now', 'before', 'other'].map((name) => createBackupKey(name.repeat(16))) as [
  ReturnType<typeof createBackupKey>,
  ReturnType<typeof createBackupKey>,
  ReturnType<typeof createBackupKey>,
];
const text = '{"format":"gatehouse backup 2"}\n';
const mac = now.sign('manifest', text);
const both = [now, before];

const cases = [
  ['made with the key', both, text, mac, 'right'],
  ['with a line break behind it', both, text, `${mac}\n`, 'right'],
  ['made with the previous key', both, text, before.sign('manifest', text), 'right'],
  ['made with another key', both, text, other.sign('manifest', text), 'other key'],
  ['of another text', both, `${text} `, mac, 'wrong'],
  ['of the journal', both, text, now.sign('journal', text), 'wrong'],
  ['cut', both, text, mac.slice(0, -1), 'wrong'],
  ['empty', both, text, '', 'wrong'],
  ['with the id of the key and no more', both, text, `${now.id} `, 'wrong'],
  ['that is rubbish', both, text, '../x', 'wrong'],
  ['missing', both, text, undefined, 'missing'],
  ['there, and no key', [], text, mac, 'not checked'],
  ['missing, and no key', [], text, undefined, 'no key'],
] as const;

/** Whether it is accepted, without and with --unauthenticated. */
const accepted = {
  right: [true, true],
  'no key': [true, true],
  missing: [false, true],
  'not checked': [false, true],
  wrong: [false, false],
  'other key': [false, false],
} as const;

describe('the MAC of a backup', () => {
  for (const [what, keys, signed, given, expected] of cases) {
    it(`${what}: ${expected}`, () => {
      assert.equal(judgeMac(keys, 'manifest', signed, given), expected);
      for (const [at, isAccepted] of accepted[expected].entries()) {
        const check = () => requireMac(keys, at === 1)('manifest', signed, given);
        if (isAccepted) check();
        else assert.throws(check, BackupError);
      }
    });
  }

  it('names the key without telling it, and is the same for the same text', () => {
    assert.match(mac, /^[0-9a-f]{8} [0-9a-f]{64}$/);
    assert.equal(createBackupKey('now'.repeat(16)).sign('manifest', text), mac);
    assert.notEqual(now.id, before.id);
  });

  for (const [verdict, given, says] of [
    ['missing', undefined, /has no MAC, so it may be forged.*--unauthenticated/],
    ['other key', other.sign('manifest', text), /made with another BACKUP_KEY/],
    ['wrong', now.sign('manifest', 'x'), /changed after it was made/],
  ] as const) {
    it(`the sentence about “${verdict}” says what to do`, () =>
      assert.throws(() => requireMac(both, false)('manifest', text, given), says));
  }
});
