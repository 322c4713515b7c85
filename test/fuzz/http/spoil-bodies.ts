// Corrupts JSON bodies: one field at a time, the whole text, and its declared type.
import { gzipSync } from 'node:zlib';
import { type Chance, flipped, nudged } from './chance.ts';
import { type Draft, dropHeader, type Operation, setHeader } from './draft.ts';
import { oddJson, oddText } from './odd-values.ts';

type Field = [key: string, value: string];

/** Reads the body of the valid request: a flat object. */
function fieldsOf(draft: Draft): Field[] {
  const object = JSON.parse(draft.body?.toString() || '{}') as Record<string, unknown>;
  return Object.entries(object).map(([key, value]) => [JSON.stringify(key), JSON.stringify(value)]);
}

function write(draft: Draft, fields: readonly Field[]): void {
  draft.body = Buffer.from(`{${fields.map(([key, value]) => `${key}:${value}`).join(',')}}`);
}

export function spoilField(draft: Draft, operation: Operation, chance: Chance): void {
  const fields = fieldsOf(draft);
  const at = chance.below(fields.length);
  const [key = '"x"', value = '""'] = fields[at] ?? [];
  const schema = operation.fields?.[JSON.parse(key) as string] ?? {};
  const given = JSON.parse(value) as unknown;
  const replace = (other: string) => fields.splice(at, 1, [key, other]);
  const ways: Record<string, () => unknown> = {
    missing: () => fields.splice(at, 1),
    odd: () => replace(oddJson(chance, schema)),
    'odd again': () => replace(oddJson(chance, schema)),
    nudged: () => replace(JSON.stringify(nudged(String(given), chance, '+ -.@0aé"\\\t‮'))),
    'nudged more': () => replace(JSON.stringify(nudged(nudged(String(given), chance, '0123456789'), chance, 'ab@.'))),
    unescaped: () => replace(`"${nudged(String(given), chance, '\t\n\0"\\\x01')}"`),
    'twice, other first': () => fields.unshift([key, oddJson(chance, schema)]),
    'twice, other last': () => fields.push([key, oddJson(chance, schema)]),
    renamed: () => fields.splice(at, 1, [JSON.stringify(nudged(JSON.parse(key) as string, chance, 'aA_ \0')), value]),
    'beside a stranger': () => fields.push([JSON.stringify(oddText(chance, 40)), oddJson(chance, {})]),
    'beside a prototype': () => fields.push(['"__proto__"', oddJson(chance, {})]),
    'beside an escaped prototype': () => fields.push(['"\\u005f_proto__"', '{}']),
    'beside many': () => {
      for (let count = chance.pick([100, 1500]); count > 0; count--) fields.push([`"${count}"`, '0']);
    },
  };
  const way = chance.pick(Object.keys(ways));
  ways[way]?.();
  draft.marks.push(`${key} ${way}`);
  write(draft, fields);
}

export function spoilText(draft: Draft, chance: Chance): void {
  const body = draft.body ?? Buffer.from('{}');
  const text = body.toString();
  const ways: Record<string, () => Buffer | string> = {
    cut: () => body.subarray(0, chance.below(body.length)),
    flipped: () => flipped(body, chance),
    nudged: () => nudged(text, chance, '{}[]",:\\0e-'),
    'a byte order mark': () => `\ufeff${text}`,
    'UTF-16': () => Buffer.from(text, 'utf16le'),
    'UTF-16 with a mark': () => Buffer.from(`\ufeff${text}`, 'utf16le'),
    'not UTF-8': () => Buffer.concat([body.subarray(0, -2), Buffer.from([0xff, 0xc3, 0x28]), Buffer.from('"}')]),
    'a trailing comma': () => text.replace(/}$/, ',}'),
    'single quotes': () => text.replaceAll('"', "'"),
    'a comment': () => `/* */${text}// x`,
    'two documents': () => text + text,
    'an array': () => `[${text}]`,
    'a text': () => JSON.stringify(text),
    'a number': () => chance.pick(['0', '-1', '1e999', '00', '0x1', 'NaN', 'Infinity']),
    'a word': () => chance.pick(['null', 'true', 'undefined', 'nul', 'None']),
    nothing: () => '',
    blanks: () => ' \t\r\n'.repeat(chance.below(50)),
    zeros: () => Buffer.alloc(chance.below(200)),
    deep: () => `{"a":${'['.repeat(chance.pick([30, 31, 32, 8000]))}`,
    'the largest': () => text.padEnd(16_384),
    'too large': () => text.padEnd(16_385 + chance.below(3) * 8000),
    zipped: () => gzipSync(body),
    form: () => 'recipient=%2B12025550123&phone=%2B12025550123&otp=000000&token=x',
    noise: () => chance.bytes(chance.below(300)),
  };
  const way = chance.pick(Object.keys(ways));
  draft.body = Buffer.from(ways[way]?.() ?? '');
  draft.marks.push(`body: ${way}`);
}

const types: readonly string[] = [
  'application/json',
  'application/json;charset=utf-8',
  'application/json; charset="utf-8"',
  'Application/JSON ; Charset = UTF8',
  'application/json; charset=utf-16',
  'application/json; charset=latin1',
  'application/json; charset=',
  'application/json; charset=utf-8; charset=utf-16',
  'application/json;',
  'application/json;;;',
  'application/json, text/plain',
  'application/json\t',
  'application/jsonp',
  'application/problem+json',
  'application/x-www-form-urlencoded',
  'multipart/form-data',
  'multipart/form-data; boundary=',
  'multipart/form-data; boundary="',
  'text/plain',
  'text/html',
  'application/octet-stream',
  'application',
  '/',
  '*/*',
  'application/',
  '/json',
  '',
  ' ',
  'null',
  '__proto__/constructor',
  `application/json; x=${'y'.repeat(3000)}`,
  `${'a'.repeat(200)}/${'b'.repeat(200)}`,
  'application/json; boundary="\xff\xfe"',
];

export function spoilType(draft: Draft, chance: Chance): void {
  const type = chance.happens(0.1) ? undefined : chance.pick(types);
  if (type === undefined) dropHeader(draft, 'content-type');
  else setHeader(draft, 'Content-Type', type);
  draft.marks.push(`type ${(type ?? 'missing').slice(0, 40)}`);
}
