// Corrupts uploads: forms of every shape, raw bodies, JSON with base64, and files with changed bytes.
import { type Chance, flipped, nudged } from './chance.ts';
import { type Draft, type Sample, setHeader } from './draft.ts';
import { oddHeaderText, oddJson, oddText } from './odd-values.ts';

const purposes = ['avatar', 'image', 'document', 'audio', 'video', 'attachment'];
const boundary = 'fuzz-boundary';

/** Real bytes, changed in one of the ways in which files get damaged. */
export function spoiledSample(samples: readonly Sample[], chance: Chance): Sample {
  const sample = chance.pick(samples);
  const { bytes } = sample;
  const at = chance.below(bytes.length);
  const other = chance.pick(samples).bytes;
  const changed = chance.pick([
    () => flipped(bytes, chance),
    () => flipped(bytes, chance),
    () => bytes.subarray(0, at),
    () => Buffer.concat([bytes, chance.bytes(1 + chance.below(40))]),
    () => Buffer.concat([bytes.subarray(0, at), other.subarray(chance.below(other.length))]),
    () => Buffer.concat([bytes.subarray(0, at), bytes.subarray(Math.min(bytes.length, at + 1 + chance.below(64)))]),
    () => Buffer.concat([bytes.subarray(0, at), chance.bytes(8), bytes.subarray(at)]),
    () => overwritten(bytes, at, chance),
    () => Buffer.concat([bytes.subarray(0, 16), chance.bytes(200)]),
    () => Buffer.concat([bytes, other]),
  ])();
  return { ...sample, bytes: changed };
}

/** Overwrites four bytes with one value, as a length or an offset may be there. */
function overwritten(bytes: Buffer, at: number, chance: Chance): Buffer {
  const copy = Buffer.from(bytes);
  copy.fill(chance.pick([0x00, 0xff, 0x7f, 0x80]), at, Math.min(copy.length, at + 4));
  return copy;
}

export function asForm(draft: Draft, { name, type, bytes }: Sample, purpose: string): void {
  setHeader(draft, 'Content-Type', `multipart/form-data; boundary=${boundary}`);
  draft.body = form([field('purpose', purpose), file(name, type, bytes)]);
}

export function asRaw(draft: Draft, { name, type, bytes }: Sample, purpose: string): void {
  setHeader(draft, 'Content-Type', type);
  setHeader(draft, 'X-File-Purpose', purpose);
  setHeader(draft, 'Content-Disposition', `attachment; filename="${name}"`);
  draft.body = bytes;
}

export function asJson(draft: Draft, { name, type, bytes }: Sample, purpose: string): void {
  setHeader(draft, 'Content-Type', 'application/json');
  draft.body = Buffer.from(JSON.stringify({ purpose, name, type, content: bytes.toString('base64') }));
}

function part(head: string, content: Buffer | string): Buffer {
  return Buffer.concat([
    Buffer.from(`--${boundary}\r\n${head}\r\n\r\n`, 'latin1'),
    Buffer.from(content),
    Buffer.from('\r\n'),
  ]);
}

function field(name: string, value: string): Buffer {
  return part(`Content-Disposition: form-data; name="${name}"`, value);
}

function file(name: string, type: string, bytes: Buffer, field = 'file'): Buffer {
  return part(`Content-Disposition: form-data; name="${field}"; filename="${name}"\r\nContent-Type: ${type}`, bytes);
}

function form(parts: readonly Buffer[], end = `--${boundary}--\r\n`): Buffer {
  return Buffer.concat([...parts, Buffer.from(end)]);
}

const oddNames = [
  '../../etc/passwd',
  'C:\\con',
  'a\0b',
  '.',
  '..',
  '',
  'x'.repeat(2000),
  'a";name="purpose',
  'é.png',
  '\u202egnp.exe',
  '%00',
  'a\\"b',
  'a;b=c',
  '=?utf-8?B?eA==?=',
];

/** Forms that no browser writes. */
export function spoilForm(draft: Draft, sample: Sample, chance: Chance): void {
  const { name, type, bytes } = sample;
  const purpose = field('purpose', chance.pick(purposes));
  const upload = file(name, type, bytes);
  const whole = form([purpose, upload]);
  const nested = form([
    purpose,
    file('x', 'multipart/mixed; boundary=inner', Buffer.from(`--inner\r\n\r\nx\r\n--inner--`)),
  ]);
  const many = (count: number, one: Buffer) => form([...Array.from({ length: count }, () => one), upload]);
  const dispositions = [
    'form-data',
    'attachment; name="file"',
    'form-data; name=file; filename=x',
    'form-data; name="file"; name="purpose"; filename="x"',
    `form-data; name="file"; filename*=utf-8''%FF%00`,
    'form-data; name="file"; filename*=x\'y\'z',
    'form-data; name="\xff"; filename="x"',
    'form-data; name',
    'form-data;;;;',
    '',
    ';'.repeat(3000),
  ];
  const ways: Record<string, () => Buffer> = {
    'file first': () => form([upload, purpose]),
    'no purpose': () => form([upload]),
    'no file': () => form([purpose]),
    empty: () => form([]),
    'two purposes': () => form([purpose, field('purpose', chance.pick(purposes)), upload]),
    'two files': () => form([purpose, upload, upload]),
    'three files': () => form([purpose, upload, upload, upload]),
    'another field': () => form([field(oddText(chance, 30).replaceAll('"', ''), oddText(chance)), purpose, upload]),
    'a stranger’s file': () => form([file('x', 'text/plain', bytes, 'other'), purpose, upload]),
    'a long field': () => form([field('purpose', 'x'.repeat(chance.pick([1024, 1025, 70_000]))), upload]),
    'a long field name': () => form([field('x'.repeat(chance.pick([100, 101, 9000])), 'x'), purpose, upload]),
    'an odd purpose': () =>
      form([field('purpose', chance.pick(['', 'AVATAR', '__proto__', 'a\0', oddText(chance)])), upload]),
    'an odd name': () => form([purpose, file(chance.pick(oddNames), type, bytes)]),
    'an odd type': () =>
      form([purpose, file(name, chance.pick(['', 'x', '*/*', 'image/png; x="', oddHeaderText(chance)]), bytes)]),
    'an odd disposition': () => form([purpose, part(`Content-Disposition: ${chance.pick(dispositions)}`, bytes)]),
    'no disposition': () => form([purpose, part('X-A: b', bytes)]),
    'no headers': () => form([purpose, Buffer.from(`--${boundary}\r\n\r\nx\r\n`)]),
    'many headers': () =>
      form([purpose, part(`X-A: ${'b'.repeat(20)}\r\n`.repeat(chance.pick([31, 33, 900])).trim(), bytes)]),
    'a long header': () => form([purpose, part(`X-A: ${'b'.repeat(chance.pick([8100, 9000, 40_000]))}`, bytes)]),
    'an encoding': () =>
      form([
        purpose,
        part(
          `Content-Disposition: form-data; name="file"; filename="x"\r\nContent-Transfer-Encoding: ${chance.pick(['base64', 'quoted-printable', 'x'])}`,
          bytes,
        ),
      ]),
    nested: () => nested,
    'thousands of fields': () => many(chance.pick([11, 3000]), field('x', 'y')),
    'thousands of files': () => many(chance.pick([3, 1500]), file('x', 'text/plain', Buffer.from('y'), 'other')),
    cut: () => whole.subarray(0, chance.below(whole.length)),
    'no end': () => form([purpose, upload], ''),
    'half an end': () => form([purpose, upload], `--${boundary}-`),
    'something behind it': () => form([purpose, upload], `--${boundary}--\r\n${oddText(chance)}`),
    'something before it': () => Buffer.concat([Buffer.from(oddText(chance)), whole]),
    'bare line feeds': () => Buffer.from(whole.toString('latin1').replaceAll('\r\n', '\n'), 'latin1'),
    flipped: () => flipped(whole, chance),
    'another boundary': () =>
      Buffer.from(whole.toString('latin1').replaceAll(boundary, nudged(boundary, chance, '-a')), 'latin1'),
    'boundaries alone': () => Buffer.from(`--${boundary}\r\n`.repeat(chance.pick([2, 2000]))),
    noise: () => chance.bytes(chance.below(500)),
    nothing: () => Buffer.alloc(0),
  };
  const way = chance.pick(Object.keys(ways));
  draft.body = ways[way]?.() ?? whole;
  const types = [
    '',
    '; boundary',
    '; boundary=',
    '; boundary=""',
    `; boundary="${boundary}"`,
    `; boundary=${boundary}; boundary=x`,
    `; boundary=${'b'.repeat(71)}`,
    `; charset=utf-16; boundary=${boundary}`,
    '; boundary="\xff"',
    ` ; BOUNDARY=${boundary}`,
  ];
  const suffix = chance.happens(0.15) ? chance.pick(types) : `; boundary=${boundary}`;
  setHeader(draft, 'Content-Type', `multipart/form-data${suffix}`);
  draft.marks.push(`form: ${way}${suffix === `; boundary=${boundary}` ? '' : ` ${suffix.slice(0, 20)}`}`);
}

export function spoilRaw(draft: Draft, sample: Sample, chance: Chance): void {
  asRaw(draft, sample, chance.pick(purposes));
  const dispositions = [
    'attachment',
    'x; filename',
    'attachment; filename="',
    `attachment; filename*=utf-8''%E0`,
    `attachment; filename*=utf-8''%00`,
    'attachment; filename=a; filename=b',
    `attachment; filename="${'x'.repeat(5000)}"`,
    "attachment; filename*=iso-8859-1'en'%A3",
    oddHeaderText(chance),
  ];
  const ways: Record<string, () => void> = {
    'an odd type': () =>
      setHeader(
        draft,
        'Content-Type',
        chance.pick(['', 'image/png', 'text/html', 'image/svg+xml', 'x', oddHeaderText(chance)]),
      ),
    'an odd disposition': () => setHeader(draft, 'Content-Disposition', chance.pick(dispositions)),
    'an odd purpose': () =>
      setHeader(draft, 'X-File-Purpose', chance.pick(['', 'nothing', '__proto__', oddHeaderText(chance)])),
    'an odd digest': () =>
      setHeader(
        draft,
        'Repr-Digest',
        chance.pick(['sha-256=:AAAA:', `sha-256=:${'A'.repeat(43)}=:`, 'md5=:x:', '', oddHeaderText(chance)]),
      ),
    'a key': () =>
      setHeader(draft, 'Idempotency-Key', chance.pick(['one', 'two', 'x'.repeat(256), '', oddHeaderText(chance)])),
    'an odd name': () => {
      draft.target += `?name=${encodeURIComponent(chance.pick(oddNames).slice(0, 900))}`;
    },
    'nothing in it': () => {
      draft.body = Buffer.alloc(0);
    },
    noise: () => {
      draft.body = chance.bytes(chance.below(500));
    },
  };
  const way = chance.pick(Object.keys(ways));
  ways[way]?.();
  draft.marks.push(`raw: ${way}`);
}

export function spoilJson(draft: Draft, sample: Sample, chance: Chance): void {
  asJson(draft, sample, chance.pick(purposes));
  const fields: Record<string, string> = {};
  for (const [name, value] of Object.entries(JSON.parse(draft.body?.toString() ?? '{}') as object))
    fields[name] = JSON.stringify(value);
  const name = chance.pick(['purpose', 'name', 'type', 'content', 'content']);
  const content = fields.content ?? '""';
  const ways: Record<string, () => Record<string, string>> = {
    'an odd value': () => ({ [name]: oddJson(chance, {}) }),
    'not base64': () => ({ content: JSON.stringify(nudged(content.slice(1, -1), chance, '=*-_ é\n')) }),
    'escaped letters': () => ({ content: content.replaceAll('A', '\\u0041') }),
    'half an escape': () => ({ content: `${content.slice(0, -1)}\\u00"` }),
    'a data URL': () => ({ content: `"data:image/png;base64,${content.slice(1)}` }),
    strangers: () => ({ [oddText(chance, 20).replaceAll(/["\\]/g, '')]: oddJson(chance, {}) }),
    missing: () => ({}),
  };
  const way = chance.pick(Object.keys(ways));
  Object.assign(fields, ways[way]?.());
  if (way === 'missing') delete fields[name];
  const written = Object.entries(fields).map(([key, value]) => `"${key}":${value}`);
  if (chance.happens(0.2)) written.push(chance.pick(written));
  draft.body = Buffer.from(`{${(chance.happens(0.3) ? written.toReversed() : written).join(',')}}`);
  if (chance.happens(0.15)) draft.body = draft.body.subarray(0, chance.below(draft.body.length));
  draft.marks.push(`JSON: ${name} ${way}`);
}

export function rightPurpose(type: string): string {
  if (type.startsWith('image/')) return 'image';
  if (type.startsWith('audio/')) return 'audio';
  if (type.startsWith('video/')) return 'video';
  return type === 'application/zip' ? 'attachment' : 'document';
}
