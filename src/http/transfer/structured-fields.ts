// Reads structured field values (RFC 9651): an item, or a dictionary. Parameters are read and ignored, as nothing here defines any.

type BareItem =
  | { readonly kind: 'integer'; readonly value: number; readonly isNegative: boolean }
  | { readonly kind: 'boolean'; readonly value: boolean }
  | { readonly kind: 'bytes'; readonly value: Buffer }
  /** A value of another type: well-formed, but nothing here reads it. */
  | { readonly kind: 'other' };

type Rest = { readonly text: string; at: number };

const key = /[a-z*][a-z0-9_\-.*]*/y;
const integer = /-?\d{1,15}(?![\d.])/y;
const bytes = /:([A-Za-z0-9+/]*={0,2}):/y;
/** Decimal, string, token, date, display string: section 4.2. */
const others: readonly RegExp[] = [
  /-?\d{1,12}\.\d{1,3}(?![\d.])/y,
  /"(?:[\x20\x21\x23-\x5b\x5d-\x7e]|\\["\\])*"/y,
  /[A-Za-z*][!#$%&'*+\-.^_`|~0-9A-Za-z:/]*/y,
  /@-?\d{1,15}(?![\d.])/y,
  /%"(?:[\x20\x21\x23\x24\x26-\x7e]|%[0-9a-f]{2})*"/y,
];
const spaces = / */y;
const optionalSpaces = /[ \t]*/y;

/** Undefined if the text is no item. */
export function readItem(text: string): BareItem | undefined {
  const rest = { text, at: 0 };
  take(rest, spaces);
  const item = takeItem(rest);
  take(rest, spaces);
  return rest.at === text.length ? item : undefined;
}

/** Of a key that occurs twice, the last value counts. Undefined if the text is no dictionary. */
export function readDictionary(text: string): ReadonlyMap<string, BareItem> | undefined {
  const rest = { text, at: 0 };
  const members = new Map<string, BareItem>();
  take(rest, spaces);
  while (rest.at < text.length) {
    const name = take(rest, key);
    if (name === undefined) return undefined;
    const member = takeMember(rest);
    if (member === undefined) return undefined;
    members.set(name, member);
    take(rest, optionalSpaces);
    if (rest.at === text.length) return members;
    if (!takeMark(rest, ',')) return undefined;
    take(rest, optionalSpaces);
    if (rest.at === text.length) return undefined;
  }
  return members;
}

function takeMember(rest: Rest): BareItem | undefined {
  if (!takeMark(rest, '=')) return takeParameters(rest) ? { kind: 'boolean', value: true } : undefined;
  return rest.text[rest.at] === '(' ? takeInnerList(rest) : takeItem(rest);
}

function takeInnerList(rest: Rest): BareItem | undefined {
  takeMark(rest, '(');
  for (;;) {
    const before = rest.at;
    take(rest, spaces);
    if (takeMark(rest, ')')) return takeParameters(rest) ? { kind: 'other' } : undefined;
    const isFirst = rest.text[before - 1] === '(';
    if ((rest.at === before && !isFirst) || takeItem(rest) === undefined) return undefined;
  }
}

function takeItem(rest: Rest): BareItem | undefined {
  const item = takeBare(rest);
  return item !== undefined && takeParameters(rest) ? item : undefined;
}

function takeParameters(rest: Rest): boolean {
  while (takeMark(rest, ';')) {
    take(rest, spaces);
    if (take(rest, key) === undefined) return false;
    if (takeMark(rest, '=') && takeBare(rest) === undefined) return false;
  }
  return true;
}

function takeBare(rest: Rest): BareItem | undefined {
  const whole = take(rest, integer);
  if (whole !== undefined)
    return { kind: 'integer', value: Math.abs(Number(whole)), isNegative: whole.startsWith('-') };
  if (takeMark(rest, '?1')) return { kind: 'boolean', value: true };
  if (takeMark(rest, '?0')) return { kind: 'boolean', value: false };
  const encoded = take(rest, bytes);
  if (encoded !== undefined) return { kind: 'bytes', value: Buffer.from(encoded.slice(1, -1), 'base64') };
  return others.some((form) => take(rest, form) !== undefined) ? { kind: 'other' } : undefined;
}

function take(rest: Rest, form: RegExp): string | undefined {
  form.lastIndex = rest.at;
  const [found] = form.exec(rest.text) ?? [];
  if (found !== undefined) rest.at += found.length;
  return found;
}

function takeMark(rest: Rest, mark: string): boolean {
  if (!rest.text.startsWith(mark, rest.at)) return false;
  rest.at += mark.length;
  return true;
}
