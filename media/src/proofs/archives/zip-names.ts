// Checks the name, the extra fields and the mode of a ZIP entry.
import { isUtf8 } from 'node:buffer';

const maxNameBytes = 1_024;
const utf8Flag = 0x0800;
const unicodePath = 0x7075;
// Link, character device, block device, socket. Other kinds are harmless: some packers write a pipe, or all ones.
const specialKinds = new Set([0xa000, 0x2000, 0x6000, 0xc000]);

/** Also checks the second name in an extra field, because some unpackers prefer it. */
export function isSafeName(name: Buffer, extra: Buffer, flags: number): boolean {
  if ((flags & utf8Flag) !== 0 && !isUtf8(name)) return false;
  const second = secondName(extra);
  return isSafePath(name) && (second === undefined || isSafePath(second));
}

/** Behind a version and a checksum of the first name. */
export function secondName(extra: Buffer): Buffer | undefined {
  return extraField(extra, unicodePath)?.subarray(5);
}

function isSafePath(name: Buffer): boolean {
  if (name.length === 0 || name.length > maxNameBytes) return false;
  if (name.some((byte) => byte < 0x20 || byte === 0x7f)) return false;
  // Old tools for Windows write backslashes.
  const text = name.toString('latin1').replaceAll('\\', '/');
  const isAbsolute = /^(?:\/|[a-z]:)/i.test(text);
  return !isAbsolute && !text.split('/').includes('..');
}

/** Reads the high half of the attributes as a Unix mode, whatever system the entry names. Also true for devices and sockets. */
export function isLink(attributes: number): boolean {
  return specialKinds.has((attributes >>> 16) & 0xf000);
}

export function extraField(extra: Buffer, wanted: number): Buffer | undefined {
  let at = 0;
  while (at + 4 <= extra.length) {
    const length = extra.readUInt16LE(at + 2);
    if (extra.readUInt16LE(at) === wanted) return extra.subarray(at + 4, at + 4 + length);
    at += 4 + length;
  }
  return undefined;
}

/** Allows up to three bytes at the end: tools that align entries use them as padding. */
export function extraFieldsDefect(extra: Buffer): string | undefined {
  const seen = new Set<number>();
  let at = 0;
  while (at + 4 <= extra.length) {
    const id = extra.readUInt16LE(at);
    if (id !== 0 && seen.has(id)) return 'the same extra field twice';
    seen.add(id);
    at += 4 + extra.readUInt16LE(at + 2);
  }
  return at > extra.length ? 'a broken extra field' : undefined;
}
