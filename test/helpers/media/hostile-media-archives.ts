// Hostile ZIP archives: bombs, overlaps, hidden bytes, and names that escape the folder.
import type { HostileFile } from './hostile-media.ts';
import { buildZip, type ZipPart } from './media-builders.ts';
import { fixture, joined, patched, u16le, u32le } from './media-files.ts';

export function hostileArchives(): HostileFile[] {
  return [...spoiltArchives(), ...spoiltNames(), ...spoiltSizes(), ...spoiltPlaces()].map(([name, bytes, refusal]) => ({
    name: `ZIP: ${name}`,
    bytes,
    refusal,
  }));
}

function spoiltArchives(): [string, Buffer, RegExp | 'unknown'][] {
  const two: ZipPart[] = [
    { name: 'a', content: 'first' },
    { name: 'b', content: 'second' },
  ];
  const zip = buildZip(two);
  const wide = fixture('infozip-zip64.zip');
  const flood = Array.from({ length: 10_001 }, (_, index) => ({ name: `n${index}` }));
  return [
    ['bytes before the archive', buildZip(two, { prefix: Buffer.from('MZ junk') }), 'unknown'],
    ['a header before the archive', joined('PK\x03\x04', zip), /reach|gap|header/],
    ['a byte after the archive', joined(zip, 'x'), /after the archive/],
    ['zeros after the archive', joined(zip, Buffer.alloc(64)), /after the archive/],
    ['a long comment', buildZip(two, { comment: 'x'.repeat(1_100) }), /no end/],
    ['cut before its directory', zip.subarray(0, 60), /no end/],
    ['bytes between the entries and the directory', buildZip(two, { beforeDirectory: Buffer.alloc(9) }), /gap/],
    ['two entries over the same bytes', buildZip([...two, { name: 'c', content: 'first', offset: 0 }]), /gap|overlap/],
    ['an entry that the directory hides', buildZip(two, { count: 1 }), /wrong length/],
    ['an entry that is not there', buildZip(two, { count: 3 }), /broken/],
    ['ten thousand and one entries', buildZip(flood), /too many/],
    ['two disks', patched(zip, zip.length - 18, u16le(1)), /disks/],
    ['a directory at another place', patched(zip, zip.length - 6, u32le(3)), /reach/],
    ['two end records that disagree', patched(wide, wide.length - 14, u16le(7)), /disks|contradict/],
    ['a 64-bit end record with a wrong length', patched(wide, wide.indexOf('PK\x06\x06') + 4, [99]), /wrong length/],
    ['an empty archive with a tail', joined('PK\x05\x06', Buffer.alloc(18), 'x'), /after the archive/],
  ];
}

function one(part: Partial<ZipPart>): Buffer {
  return buildZip([{ name: 'a', content: 'words', ...part }]);
}

function spoiltNames(): [string, Buffer, RegExp][] {
  const secondName = joined(u16le(0x7075), u16le(15), [1], u32le(0), '../../evil');
  const plain = one({ name: 'ab', flags: 0x0800 });
  const twins = buildZip([{ name: 'a' }, { name: 'a' }]);
  return [
    ['a path that leaves the folder', one({ name: '../evil' }), /leaves/],
    ['a path that leaves the folder later', one({ name: 'a/../../evil' }), /leaves/],
    ['an absolute path', one({ name: '/etc/passwd' }), /absolute/],
    ['a drive letter', one({ name: 'C:/evil' }), /absolute/],
    ['a backslash', one({ name: '..\\evil' }), /backslash/],
    ['a NUL in a name', one({ name: 'a\0.txt' }), /control/],
    ['a name that says it is UTF-8', patched(plain, plain.lastIndexOf('ab'), [0xff]), /UTF-8/],
    ['a name of two thousand bytes', one({ name: 'n'.repeat(2_000) }), /impossible length/],
    ['no name', one({ name: '' }), /impossible length/],
    ['a second name in an extra field', one({ extra: secondName }), /leaves/],
    ['an extra field longer than its room', one({ extra: joined(u16le(9), u16le(99)) }), /extra field/],
    ['a symbolic link', one({ content: '/etc/passwd', attributes: 0xa1ff0000 }), /link/],
    ['a device', one({ attributes: 0x61ff0000 }), /link or a device/],
    ['two entries of one name', twins, /one name/],
  ];
}

function spoiltSizes(): [string, Buffer, RegExp][] {
  const wideSize = joined(u16le(1), u16le(8), u32le(0), u32le(1));
  const huge = { unpackedSize: 3 * 1024 ** 3, localSize: 3 * 1024 ** 3 };
  return [
    ['another name in the local header', one({ localName: 'b' }), /contradicts/],
    ['another size in the local header', one({ localSize: 9 }), /contradicts/],
    ['a stored entry with two sizes', one({ unpackedSize: 99 }), /two sizes/],
    ['three gigabytes unpacked', one({ method: 8, ...huge }), /too large/],
    ['four gigabytes in a 64-bit size', one({ method: 8, unpackedSize: 0xffffffff, extra: wideSize }), /too large/],
    ['a 64-bit size without its field', one({ method: 8, unpackedSize: 0xffffffff }), /missing/],
    ['an impossible ratio', one({ method: 8, unpackedSize: 50_000_000, localSize: 50_000_000 }), /ratio/],
  ];
}

function spoiltPlaces(): [string, Buffer, RegExp][] {
  const descriptor = joined('PK\x07\x08', u32le(1), u32le(5), u32le(5));
  const inner = { name: 'a', content: buildZip([{ name: 'q' }]) };
  return [
    ['an unknown compression', one({ method: 77 }), /unknown compression/],
    ['a masked directory', one({ flags: 0x2000 }), /hidden/],
    ['a folder with content', one({ name: 'a/' }), /folder/],
    ['a false data descriptor', one({ flags: 8, descriptor }), /descriptor contradicts/],
    ['a data descriptor that is missing', one({ flags: 8 }), /gap/],
    ['an entry that begins in another', buildZip([inner, { name: 'b', offset: 31 }]), /gap/],
  ];
}
