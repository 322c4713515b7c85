// The form of each column of a backup: what real installations have is right, and what no version has written is not.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { mediaTypeNames } from '#media/media-type';
import { parseRow, parseShape } from '../../../src/backup/row-schema.ts';
import type { Cell } from '../../../src/backup/snapshot.ts';
import { builtInPurposes } from '../../../src/files/purpose.ts';
import { auditKinds } from '../../../src/kernel/audit.ts';
import { languages } from '../../../src/kernel/text/language.ts';
import { keptSchema } from '../../../src/store/backup/backup-tables.ts';
import { tables } from '../../../src/store/engine/tables.ts';
import { fileId } from '../../helpers/blobs/memory-files.ts';
import { asEmail, asEmailKey, asPhone, userIdOf } from '../../helpers/people/ids.ts';
import { makeUserRow } from '../../helpers/people/user.ts';

const now = Date.UTC(2031, 4, 5, 12);
const ann = userIdOf('ann');
const hash = 'ab'.repeat(32);

const rows: Readonly<Record<string, Readonly<Record<string, Cell>>>> = {
  installation: { slot: 'this', id: `ins_${'a-_9'.repeat(5)}xy`, created_at: now },
  users: makeUserRow({
    id: ann,
    phone: asPhone('+4915112345678'),
    email: asEmail("Ann.O'Neil+x@Example.co.uk"),
    email_key: asEmailKey("ann.o'neil+x@example.co.uk"),
    created_at: now,
    seen_at: now,
    external_id: 'customer 4711/ü',
    claims: '{"role":"editor","tags":["a",1,null]}',
    metadata_private: '{"a":{"b":[]}}',
  }),
  files: {
    id: fileId(1),
    user_id: ann,
    purpose: 'image',
    name: 'Ünïcode 😀.png',
    type: 'image/png',
    size: 100,
    sha256: hash,
    width: 3,
    height: 2,
    created_at: now,
    charset: null,
    keep_until: null,
    deleted_at: null,
    sweep_at: null,
    link_epoch: null,
  },
  file_readers: { file_id: fileId(1), user_id: ann, created_at: now },
  limits: { id: `send:${hash}`, hits: `[${now}]`, sweep_at: now },
  audit_events: {
    id: userIdOf('event'),
    kind: 'file.stored',
    user_id: ann,
    recipient: 'aB3_-xyz0123',
    detail: '{"file":"x","size":1,"isNew":true}',
    created_at: now,
    order_no: 1,
    position: null,
  },
};

/** The sentence about the row with this value in this column; undefined if it is right. */
function findingOf(place: string, value: unknown): string | undefined {
  const [table = '', column = ''] = place.split('.');
  const { columns } = keptSchema.find((one) => one.table === table) ?? assert.fail(table);
  const shape = parseShape(keptSchema, { table, columns });
  if ('finding' in shape) return shape.finding;
  const given = Object.keys(columns).map((name) => (name === column ? value : rows[table]?.[name]));
  const parsed = parseRow(shape.value, given, 1);
  return 'finding' in parsed ? parsed.finding : undefined;
}

describe('a row of a backup', () => {
  it('has a form for every column', () => {
    for (const { table, columns, forms } of keptSchema) {
      assert.deepEqual(Object.keys(forms), Object.keys(columns), table);
      assert.deepEqual(Object.keys(columns), Object.keys(tables[table as keyof typeof tables].columns));
    }
  });

  for (const [place, values] of Object.entries<readonly Cell[]>({
    // Numbers of TEST_RECIPIENTS are in no plan; a number of an older version may be of a type that is not served any more.
    'users.phone': [null, '+15550100001', '+0000', '+49190123456', '+8835110012345678'],
    'users.email': [null, 'a@b.c', 'x@xn--bcher-kva.example', `${'a'.repeat(240)}@b.example`, "'quoted'@b.example"],
    'users.email_key': [null, 'a@b.c'],
    'users.blocked_at': [0, now],
    'users.next_phone': ['+4915112345678'],
    // 0: it must be announced again.
    'users.next_phone_at': [0, now],
    // Of a version with more languages than this one.
    'users.next_phone_language': [...languages, 'it', 'pt-BR', 'zh-Hant-TW'],
    'users.external_id': ['x', '😀'.repeat(255), '../x', '<b>'],
    'users.claims': ['{}', '{"a":"\\u0007"}'],
    // An operator may have removed it from PURPOSES_FILE.
    'files.purpose': [...builtInPurposes.map(({ name }) => name), 'contract-2024', 'x_y'],
    'files.type': mediaTypeNames,
    'files.charset': ['utf-8', 'utf-16le', 'iso-8859-8-i', 'shift_jis', 'x-mac-cyrillic', 'gb18030'],
    'files.width': [null, 0, 8192],
    'files.size': [0, 2 ** 40],
    'files.link_epoch': [0, 7],
    'files.keep_until': [now],
    'limits.id': ['sms:2031-05-05:DE', 'sms-use:+882', 'sms-suspended:day', 'sms-prefix:+4915112345'],
    'limits.hits': [
      '0',
      `${now}`,
      '[]',
      '{}',
      `[${now},${now + 1}]`,
      `[[${now},"${ann}"]]`,
      '[[1,2,3],[2,2,3,4]]',
      '{"3600":[[5,1],[6,2]]}',
    ],
    // Of an older or a newer version.
    'audit_events.kind': [...auditKinds, 'user.merged', 'file.re-examined'],
    'audit_events.detail': ['{}', '{"a":null,"b":1.5,"c":"<b>\\n"}'],
    'audit_events.user_id': [null],
    'audit_events.recipient': [null, '+49•••00', 'a•••@example.com'],
    'audit_events.order_no': [null, 0, 2 ** 40],
  })) {
    it(`of a real installation is accepted with each ${place}`, () => {
      for (const value of values) assert.equal(findingOf(place, value), undefined);
    });
  }

  const far = Date.UTC(10_000, 0, 1);
  for (const [place, values] of Object.entries<readonly Cell[]>({
    'installation.slot': ['that', ''],
    'installation.id': ['ins_x', '\u001b[2J'],
    'installation.created_at': [-1],
    'users.phone': ['', '4915112345678', '+49 151', '+49x', '＋4915112345678', `+${'1'.repeat(19)}`],
    'users.email': ['a@b.c\r\nBcc: evil@x', 'a', 'a@b', ' a@b.c', 'ä@b.c', `${'a'.repeat(251)}@b.c`, '<a@b.c>'],
    'users.email_key': ['zz', 'A@b.c'],
    'users.blocked_at': [-5, far],
    'users.created_at': [-1, far],
    'users.seen_at': [-1],
    'users.next_phone': ['zz'],
    'users.next_phone_at': [-1],
    'users.next_phone_language': ['', '../de', 'de\n', 'x'.repeat(50)],
    'users.external_id': ['', 'a\n', 'x'.repeat(256)],
    'users.claims': [
      '{',
      '[]',
      'null',
      '5',
      '{"a":"\\u0000"}',
      `${'{"a":'.repeat(9)}{}${'}'.repeat(9)}`,
      '{"a":1e999}',
    ],
    'users.metadata_public': ['{"__proto__":{}}'],
    'files.purpose': ['', 'No such', 'a\n', '../x', 'x'.repeat(33)],
    'files.type': ['text/html', 'image/svg+xml', 'image/png; charset=x', 'toString', 'image/png\r\nSet-Cookie: a=b'],
    'files.charset': ['', 'x\r\nSet-Cookie: a=b', 'utf-8; a=b', 'x'.repeat(41)],
    'files.width': [-1],
    'files.height': [-1],
    'files.created_at': [-1, far],
    'files.keep_until': [-1],
    'files.deleted_at': [-1],
    'files.sweep_at': [far],
    'files.link_epoch': [-1],
    'file_readers.created_at': [-1],
    'limits.id': ['', 'a b', 'a\n', 'x'.repeat(201)],
    'limits.hits': [
      '',
      '"x"',
      'null',
      '-1',
      '[null]',
      '1e999',
      '[[[[1]]]]',
      '["\\n"]',
      `["${'x'.repeat(101)}"]`,
      '[true]',
    ],
    'limits.sweep_at': [-1],
    'audit_events.kind': ['nonsense', '', 'a.b\n', 'User.created', 'a.b.c', `a.${'x'.repeat(40)}`],
    'audit_events.recipient': ['', 'a\n', '\u001b[2J', 'x'.repeat(301)],
    'audit_events.detail': ['[]', '{"a":{}}', '{"a":[1]}'],
    'audit_events.created_at': [-1],
    'audit_events.order_no': [-1],
    'audit_events.position': [-1],
  })) {
    it(`with another form of ${place} is reported with its name`, () => {
      const [table, column] = place.split('.');
      for (const value of values)
        assert.match(
          findingOf(place, value) ?? `${value} is taken`,
          new RegExp(`^row 1 of ${table} has the ${column} “`),
        );
    });
  }
});
