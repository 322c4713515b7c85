// Ids as 16 bytes: writes one into a token, and reads it back as text.

const byteLength = 16;

/** All 16 bytes are written, whatever the text is: a digit that is none counts as 0. */
export function writeUuid(target: Buffer, id: string, at: number): void {
  let from = 0;
  for (let place = at; place < at + byteLength; place += 1) {
    if (id.charCodeAt(from) === dash) from += 1;
    target[place] = digitOf(id.charCodeAt(from)) * 16 + digitOf(id.charCodeAt(from + 1));
    from += 2;
  }
}

const dash = 45;

export function readUuid(bytes: Buffer, at: number): string {
  const hex = bytes.toString('hex', at, at + byteLength);
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`;
}

function digitOf(code: number): number {
  if (code >= 48 && code <= 57) return code - 48;
  const lower = code | 32;
  return lower >= 97 && lower <= 102 ? lower - 87 : 0;
}
