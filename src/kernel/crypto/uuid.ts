// Ids as 16 bytes: writes one into a token, and reads it back as text.

const byteLength = 16;

/** The form of every id that `newId` makes, such as those of users and events. */
export function isId(text: string): boolean {
  return /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/.test(text);
}

/** Always writes 16 bytes: a sign that is no digit counts as 0. */
export function writeUuid(target: Buffer, id: string, at: number): void {
  let from = 0;
  for (let place = at; place < at + byteLength; place += 1) {
    if (id.charCodeAt(from) === dash) from += 1;
    target[place] = digitOf(id.charCodeAt(from)) * 16 + digitOf(id.charCodeAt(from + 1));
    from += 2;
  }
}

const dash = 45;

const digits = Buffer.from('0123456789abcdef');

/** The text that is being written: that does not wait, so all calls share its memory. */
const written = Buffer.alloc(36, '-');

/** Where the two digits of each byte are. */
const places = [0, 2, 4, 6, 9, 11, 14, 16, 19, 21, 24, 26, 28, 30, 32, 34];

/** Digit by digit, into one text: as joined slices the ids of a sign-in cost 4 µs more, those of a refresh 3 (bench/tried.md). */
export function readUuid(bytes: Buffer, at: number): string {
  for (let index = 0; index < byteLength; index += 1) {
    const byte = bytes[at + index] ?? 0;
    const place = places[index] ?? 0;
    written[place] = digits[byte >> 4] ?? 0;
    written[place + 1] = digits[byte & 15] ?? 0;
  }
  return written.toString('latin1');
}

/** The id with the next number at its end: for a second row of one request. */
export function idAfter(id: string): string {
  const start = id.slice(0, -endDigits);
  const end = (Number.parseInt(id.slice(-endDigits), 16) + 1) % 16 ** endDigits;
  return start + end.toString(16).padStart(endDigits, '0');
}

const endDigits = 12;

function digitOf(code: number): number {
  if (code >= 48 && code <= 57) return code - 48;
  const lower = code | 32;
  return lower >= 97 && lower <= 102 ? lower - 87 : 0;
}

/** Any UUID in lower case, as one that a caller names is stored. It need not be an id that `newId` has made. */
export function isUuid(text: string): boolean {
  return /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(text);
}

/** In lower case, as ids are stored: RFC 9562 (section 4) reads both cases. Undefined if it is no UUID. */
export function parseUuid(text: string): string | undefined {
  const id = text.toLowerCase();
  return isUuid(id) ? id : undefined;
}
