// Builds the records of ZIP archives one by one, correct or false.
import { joined, type Part, u16le, u32le, u64le } from './media-files.ts';

type Entry = {
  name?: Part;
  extra?: Part;
  comment?: Part;
  flags?: number;
  method?: number;
  checksum?: number;
  packed?: number;
  unpacked?: number;
  disk?: number;
  attributes?: number;
  offset?: number;
};

/** A record of the central directory. */
export function centralEntry({
  name = 'a',
  extra = '',
  comment = '',
  flags = 0,
  method = 0,
  checksum = 0,
  packed = 0,
  unpacked = 0,
  disk = 0,
  attributes = 0,
  offset = 0,
}: Entry = {}): Buffer {
  const sizes = [u32le(checksum), u32le(packed), u32le(unpacked)];
  const lengths = [joined(name), joined(extra), joined(comment)].map(({ length }) => u16le(length));
  const place = [u16le(disk), u16le(0), u32le(attributes), u32le(offset)];
  return joined(
    'PK\x01\x02',
    u16le(20),
    u16le(20),
    u16le(flags),
    u16le(method),
    u32le(0),
    ...sizes,
    ...lengths,
    ...place,
    name,
    extra,
    comment,
  );
}

/** A record before the data of an entry. */
export function localEntry({
  name = 'a',
  extra = '',
  flags = 0,
  method = 0,
  checksum = 0,
  packed = 0,
  unpacked = 0,
}: Entry = {}): Buffer {
  const sizes = [u32le(checksum), u32le(packed), u32le(unpacked)];
  const lengths = [joined(name), joined(extra)].map(({ length }) => u16le(length));
  return joined('PK\x03\x04', u16le(20), u16le(flags), u16le(method), u32le(0), ...sizes, ...lengths, name, extra);
}

type End = {
  count?: number;
  countHere?: number;
  size?: number;
  start?: number;
  disks?: number;
  comment?: Part;
  commentLength?: number;
};

export function endRecord({
  count = 0,
  countHere = count,
  size = 0,
  start = 0,
  disks = 0,
  comment = '',
  commentLength = comment.length,
}: End = {}): Buffer {
  return joined(
    'PK\x05\x06',
    u32le(disks),
    u16le(countHere),
    u16le(count),
    u32le(size),
    u32le(start),
    u16le(commentLength),
    comment,
  );
}

type WideEnd = {
  length?: number;
  disks?: number;
  count?: number;
  countHere?: number;
  size?: number;
  start?: number;
  more?: Part;
};

/** The 64-bit end record, which a locator follows. */
export function wideEndRecord({
  length,
  disks = 0,
  count = 0,
  countHere = count,
  size = 0,
  start = 0,
  more = '',
}: WideEnd = {}): Buffer {
  return joined(
    'PK\x06\x06',
    u64le(length ?? 44 + more.length),
    u16le(45),
    u16le(45),
    u64le(disks),
    ...[countHere, count, size, start].map(u64le),
    more,
  );
}

export function locator(recordAt: number, { disk = 0, disks = 1 } = {}): Buffer {
  return joined('PK\x06\x07', u32le(disk), u64le(recordAt), u32le(disks));
}

export function extraField(id: number, content: Part = '', length = content.length): Buffer {
  return joined(u16le(id), u16le(length), content);
}
