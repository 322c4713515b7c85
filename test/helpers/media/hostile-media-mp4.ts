// Hostile MP4 files: boxes that overrun, false tables, samples elsewhere, empty fragments.
import type { HostileFile } from './hostile-media.ts';
import { box, buildZip } from './media-builders.ts';
import { fixture, joined, patched, replaced, u32be } from './media-files.ts';

type Case = [string, Buffer, RegExp | 'unknown'];

export function hostileMp4(): HostileFile[] {
  return [...spoiltBoxes(), ...spoiltMovies(), ...spoiltFragments()].map(([name, bytes, refusal]) => ({
    name,
    bytes,
    refusal,
  }));
}

function spoiltBoxes(): Case[] {
  const mp4 = fixture('ffmpeg-faststart.mp4');
  const ftyp = mp4.subarray(0, mp4.readUInt32BE(0));
  const moov = mp4.subarray(ftyp.length, ftyp.length + mp4.readUInt32BE(ftyp.length));
  return [
    ['MP4: cut in its data', mp4.subarray(0, mp4.length - 1), /fill the file/],
    ['MP4: three bytes behind the boxes', joined(mp4, 'xyz'), /fill the file/],
    ['MP4: words behind the boxes', joined(mp4, 'words and more words'), /fill the file/],
    ['MP4: an archive in a last box', joined(mp4, box('free', buildZip([{ name: 'a', content: 'x' }]))), /also a ZIP/],
    ['MP4: a box without a name', joined(mp4, box('\0\0\0\0', 'words')), /without a name/],
    ['MP4: a box of size 4', joined(ftyp, u32be(4), 'free', moov), /fill the file/],
    ['MP4: a box that ends beyond 64 bits', joined(mp4, u32be(1), 'free', Buffer.alloc(8, 0xff)), /fill the file/],
    [
      'MP4: an open box in the middle',
      joined(ftyp, u32be(0), 'mdat', mp4.subarray(ftyp.length)),
      /not exactly one movie/,
    ],
    ['MP4: a picture brand', patched(mp4, 8, 'heic'), 'unknown'],
    ['MP4: only QuickTime', joined(box('ftyp', 'qt  ', u32be(0), 'qt  '), moov), 'unknown'],
    ['MP4: no movie', joined(ftyp, box('mdat', 'x')), /not exactly one movie/],
    ['MP4: two movies', joined(mp4, moov), /not exactly one movie/],
    ['MP4: two file types', joined(mp4, ftyp), /file type/],
  ];
}

function spoiltMovies(): Case[] {
  const mp4 = fixture('ffmpeg-faststart.mp4');
  const ftyp = mp4.subarray(0, mp4.readUInt32BE(0));
  const at = (type: string): number => mp4.indexOf(type);
  return [
    ['MP4: an empty movie', joined(ftyp, box('moov')), /header/],
    ['MP4: a movie without tracks', joined(ftyp, box('moov', box('mvhd', Buffer.alloc(100)))), /neither/],
    ['MP4: neither picture nor sound', replaced(mp4, 'vide', 'text'), /neither/],
    ['MP4: a track longer than the movie', patched(mp4, at('trak') - 4, u32be(99_999)), /fill the movie/],
    ['MP4: a track without a handler', replaced(mp4, 'hdlr', 'free'), /incomplete track/],
    ['MP4: a table without sizes', replaced(mp4, 'stsz', 'free'), /incomplete sample/],
    ['MP4: chunks outside the file', patched(mp4, at('stco') + 12, u32be(0x7fffffff)), /outside/],
    ['MP4: chunks inside the movie', patched(mp4, at('stco') + 12, u32be(100)), /outside/],
    ['MP4: more chunks than the table holds', patched(mp4, at('stco') + 8, u32be(0x40000001)), /longer than/],
    ['MP4: more times than the table holds', patched(mp4, at('stts') + 8, u32be(0xffffffff)), /longer than/],
    ['MP4: more sizes than the table holds', patched(mp4, at('stsz') + 12, u32be(0x40000000)), /longer than/],
    ['MP4: samples larger than the file', patched(mp4, at('stsz') + 16, u32be(0x7fffffff)), /more samples/],
    ['MP4: samples on another host', patched(mp4, at('url ') + 4, u32be(0)), /another file/],
    ['MP4: two descriptions announced', patched(mp4, at('stsd') + 8, u32be(2)), /wrong number/],
  ];
}

function spoiltFragments(): Case[] {
  const mp4 = fixture('ffmpeg-fragmented.mp4');
  const at = (type: string): number => mp4.indexOf(type);
  return [
    ['MP4: fragments that are not announced', replaced(mp4, 'mvex', 'free'), /announce/],
    ['MP4: fragments announced and missing', mp4.subarray(0, at('moof') - 4), /no samples/],
    ['MP4: a fragment of an unknown track', patched(mp4, at('tfhd') + 8, u32be(77)), /unknown track/],
    ['MP4: a fragment without its header', replaced(mp4, 'mfhd', 'free'), /its header/],
    ['MP4: a run longer than its box', patched(mp4, at('trun') + 8, u32be(0x10000000)), /longer than/],
    ['MP4: a fragment cut', mp4.subarray(0, at('trun') + 20), /fill the file/],
  ];
}
