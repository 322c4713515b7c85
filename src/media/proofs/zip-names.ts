// Checks the name, the extra fields and the mode of a ZIP entry.
import { isUtf8 } from 'node:buffer';

const maxNameBytes = 1_024;
const backslash = 0x5c;
const utf8Flag = 0x0800;
const unicodePath = 0x7075;
// Link, character device, block device, socket. Other kinds are harmless: some packers write a pipe, or all ones.
const specialKinds = new Set([0xa000, 0x2000, 0x6000, 0xc000]);

/** Also checks the second name in an extra field, because some unpackers prefer it. */
export function nameDefect(name: Buffer, extra: Buffer, flags: number): string | undefined {
  if ((flags & utf8Flag) !== 0 && !isUtf8(name)) return 'a name that is not UTF-8';
  const second = extraField(extra, unicodePath)?.subarray(5);
  return pathDefect(name) ?? (second === undefined ? undefined : pathDefect(second));
}

function pathDefect(name: Buffer): string | undefined {
  if (name.length === 0 || name.length > maxNameBytes) return 'a name of impossible length';
  const isUnsafe = name.some((byte) => byte < 0x20 || byte === 0x7f || byte === backslash);
  if (isUnsafe) return 'a name with a control character or a backslash';
  const text = name.toString('latin1');
  if (/^(?:\/|[a-z]:)/i.test(text)) return 'an absolute path';
  if (text.split('/').includes('..')) return 'a path that leaves the folder';
  return undefined;
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
