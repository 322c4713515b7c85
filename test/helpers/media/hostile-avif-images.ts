// AVIF files with false values: sizes of boxes, places of the data, the primary item and its dimensions.
import { type Case, overwrite, times } from './image-surgery.ts';

type Parts = {
  readonly ftyp?: Buffer;
  readonly meta?: Partial<Record<'hdlr' | 'pitm' | 'iinf' | 'iloc' | 'iprp', Buffer>>;
  readonly extra?: Buffer;
};

const dataOffset = 32;
const ispe = (width: string, height: string) => box('ispe', `00000000${width}${height}`);
const small = ispe('00000002', '00000002');
const av1C = box('av1C', '81000c00');

export function box(type: string, ...parts: (Buffer | string)[]): Buffer {
  const body = Buffer.concat(parts.map((part) => (typeof part === 'string' ? Buffer.from(part, 'hex') : part)));
  const head = Buffer.alloc(8);
  head.writeUInt32BE(8 + body.length);
  head.write(type, 4, 'latin1');
  return Buffer.concat([head, body]);
}

function ftyp(major: string, ...compatible: string[]): Buffer {
  return box('ftyp', Buffer.from(`${major}\0\0\0\0${compatible.join('')}`, 'latin1'));
}

/** The data are before the meta box, so that their offset does not move. */
function avif({ ftyp: start = ftyp('avif', 'mif1', 'avif'), meta = {}, extra = Buffer.alloc(0) }: Parts = {}): Buffer {
  const parts = {
    hdlr: box('hdlr', '0000000000000000', Buffer.from('pict'), '00000000000000000000000000'),
    pitm: box('pitm', '000000000001'),
    iinf: items('av01'),
    iloc: location(dataOffset, 16),
    iprp: properties([small, av1C], '0102'),
    ...meta,
  };
  return Buffer.concat([start, box('mdat', Buffer.alloc(16)), box('meta', '00000000', ...Object.values(parts)), extra]);
}

function items(type: string, count = '0001'): Buffer {
  return box('iinf', '00000000', count, box('infe', '0200000000010000', Buffer.from(`${type}\0`)));
}

function location(offset: number, length: number): Buffer {
  const extent = Buffer.alloc(8);
  extent.writeUInt32BE(offset, 0);
  extent.writeUInt32BE(length, 4);
  return box('iloc', '000000004400' + '0001' + '000100000001', extent);
}

function properties(list: Buffer[], indexes: string): Buffer {
  const count = (indexes.length / 2).toString(16).padStart(2, '0');
  return box('iprp', box('ipco', ...list), box('ipma', `00000000000000010001${count}${indexes}`));
}

function movie(width: string, height: string): Buffer {
  const tkhd = box('tkhd', Buffer.alloc(76), width, height);
  return box('moov', box('mvhd', Buffer.alloc(100)), box('trak', tkhd));
}

export function hostileAvifImages(): Case[] {
  return [...cuts(), ...boxes(), ...metas(), ...locations(), ...sizes(), ...floods()];
}

/** Valid files, from which the hostile ones are made. */
export function plainAvifImages(): Case[] {
  const size = { width: 2, height: 2 };
  const openEnd = box('mdat', Buffer.alloc(4));
  openEnd.writeUInt32BE(0);
  return [
    ['plain', avif(), size],
    ['sequence', avif({ ftyp: ftyp('avis', 'avif', 'msf1'), extra: movie('00020000', '00020000') }), size],
    ['data box without a size at the end', avif({ extra: openEnd }), size],
    ['box with a 64-bit size', avif({ extra: Buffer.from(`00000001${name('free')}0000000000000010`, 'hex') }), size],
  ];
}

function name(type: string): string {
  return Buffer.from(type, 'latin1').toString('hex');
}

function cuts(): Case[] {
  const bytes = avif();
  const ends = [16, 23, 24, 28, 32, 40, 48, 52, 56, 60, 64, bytes.length - 8, bytes.length - 1];
  return ends.map((at) => [`cut at ${at}`, bytes.subarray(0, at)]);
}

function boxes(): Case[] {
  const long = (size: string) => avif({ extra: Buffer.from(`00000001${name('free')}${size}`, 'hex') });
  const sizeOfMdat = (hex: string) => overwrite(avif(), 24, hex);
  return [
    ['64-bit size of all ones', long('ffffffffffffffff')],
    ['64-bit size just above what is there', long('0000000000000011')],
    ['64-bit size smaller than its header', long('0000000000000008')],
    ['64-bit size cut short', avif({ extra: Buffer.from(`00000001${name('free')}00`, 'hex') })],
    ['box smaller than its header', sizeOfMdat('00000007')],
    ['box of 4 GiB', sizeOfMdat('ffffffff')],
    ['open size before the last box', sizeOfMdat('00000000')],
    ['open size inside meta', avif({ meta: { pitm: Buffer.from(`00000000${name('pitm')}000000000001`, 'hex') } })],
    ['unknown box at the top', avif({ extra: box('evil', '00') })],
    ['two ftyp', avif({ extra: ftyp('avif') })],
    ['two meta', avif({ extra: box('meta', '00000000') })],
    ['ftyp of odd length', avif({ ftyp: box('ftyp', Buffer.from('avif\0\0\0\0mif1avi')) })],
    ['nothing but ftyp', ftyp('avif')],
    ['sequence without moov', avif({ ftyp: ftyp('avis', 'mif1', 'avis') })],
    ['moov that overruns', avif({ extra: box('moov', '000000ff', Buffer.from('mvhd')) })],
    ['moov without a track', avif({ extra: box('moov', box('mvhd', Buffer.alloc(100))) })],
  ];
}

function metas(): Case[] {
  const none = Buffer.alloc(0);
  return [
    ['no handler', avif({ meta: { hdlr: none } })],
    ['video handler', avif({ meta: { hdlr: box('hdlr', '0000000000000000', Buffer.from('vide')) } })],
    ['no primary item', avif({ meta: { pitm: none } })],
    ['primary item cut short', avif({ meta: { pitm: box('pitm', '00') } })],
    ['primary item that is not there', avif({ meta: { pitm: box('pitm', '000000000009') } })],
    [
      'two primary items',
      avif({ meta: { pitm: Buffer.concat([box('pitm', '000000000001'), box('pitm', '000000000001')]) } }),
    ],
    ['no item list', avif({ meta: { iinf: none } })],
    ['65535 items promised', avif({ meta: { iinf: items('av01', 'ffff') } })],
    ['HEVC inside', avif({ meta: { iinf: items('hvc1') } })],
    ['HTML inside', avif({ meta: { iinf: items('mime') } })],
    ['no locations', avif({ meta: { iloc: none } })],
    ['no properties', avif({ meta: { iprp: none } })],
  ];
}

function locations(): Case[] {
  const of = (hex: string) => avif({ meta: { iloc: box('iloc', hex) } });
  return [
    ['data behind the end', avif({ meta: { iloc: location(dataOffset, 17) } })],
    ['data before the data box', avif({ meta: { iloc: location(0, 16) } })],
    ['data of length 0', avif({ meta: { iloc: location(dataOffset, 0) } })],
    ['data at 4 GiB', avif({ meta: { iloc: location(0xffffffff, 16) } })],
    [
      '64-bit offset that wraps around',
      of('000000008800' + '0001' + '000100000001' + 'ffffffffffffffff' + '0000000000000030'),
    ],
    ['offsets of 3 bytes', of('000000003300' + '0001' + '000100000001' + '000020000010')],
    ['65535 extents of no bytes', of('000000000000' + '0001' + '00010000ffff')],
    ['65535 items of no bytes', of('000000000000' + 'ffff' + '000100000000')],
    ['built from another item', of('010000004400' + '0001' + '0001' + '0002' + '0000' + '0001' + '0000000000000001')],
    ['in idat that is not there', of('010000004400' + '0001' + '0001' + '0001' + '0000' + '0001' + '0000000000000001')],
    ['in another file', of('000000004400' + '0001' + '000100070001' + '0000002000000010')],
    ['unknown version', of('090000004400' + '0001' + '000100000001' + '0000002000000010')],
  ];
}

function sizes(): Case[] {
  const of = (list: Buffer[], indexes: string) => avif({ meta: { iprp: properties(list, indexes) } });
  const bomb = { width: 65535, height: 65535 };
  return [
    ['no size', of([av1C], '01')],
    ['no width', of([ispe('00000000', '00000002'), av1C], '0102')],
    ['two sizes that contradict', of([small, av1C, ispe('0000ffff', '0000ffff')], '010203')],
    ['size of a wrong length', of([box('ispe', '0000000000000002'), av1C], '0102')],
    ['no AV1 configuration', of([small], '01')],
    ['property that is not there', of([small, av1C], '010209')],
    [
      'associations cut short',
      avif({ meta: { iprp: box('iprp', box('ipco', small, av1C), box('ipma', '00000000ffffffff0001')) } }),
    ],
    ['65535 by 65535', of([ispe('0000ffff', '0000ffff'), av1C], '0102'), bomb],
    ['small picture, track of 65535 by 65535', avif({ extra: movie('ffff0000', 'ffff0000') }), bomb],
  ];
}

function floods(): Case[] {
  const nested = Array.from({ length: 2000 }).reduce<Buffer>(
    (inner) => box('meta', '00000000', inner),
    Buffer.alloc(0),
  );
  const empty = box('free');
  return [
    ['2000 boxes in each other', avif({ meta: { iprp: box('iprp', nested) } })],
    ['500,000 empty boxes', avif({ extra: times(500_000, empty) })],
    ['500,000 empty boxes in meta', avif({ meta: { pitm: times(500_000, empty) } })],
    ['90,000 items', avif({ meta: { iinf: box('iinf', '00000000ffff', times(90_000, items('av01').subarray(14))) } })],
    ['1 MiB of locations', avif({ meta: { iloc: box('iloc', '000000004400ffff', Buffer.alloc(2 ** 20)) } })],
  ];
}
