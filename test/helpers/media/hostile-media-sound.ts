// Hostile audio files: MP3, Ogg and WAV with false lengths, foreign bytes and broken streams.
import type { HostileFile } from './hostile-media.ts';
import { chunk, format, mp3Frame, oggPage, opusHead, riff } from './media-builders.ts';
import { fixture, joined, patched, u32le } from './media-files.ts';

const data = chunk('data', Buffer.alloc(100));

type Case = [string, Buffer, RegExp | 'unknown'];

export function hostileSound(): HostileFile[] {
  return [...spoiltMp3(), ...spoiltOgg(), ...spoiltChunks(), ...spoiltFormats()].map(([name, bytes, refusal]) => ({
    name,
    bytes,
    refusal,
  }));
}

function spoiltMp3(): Case[] {
  const frames = joined(mp3Frame(), mp3Frame(), mp3Frame(), mp3Frame());
  const id3 = joined('ID3', [4, 0, 0, 0, 0, 0, 4], 'TIT2');
  const tagged = fixture('ffmpeg-vbr-id3v1.mp3');
  const ape = joined('APETAGEX', u32le(2_000), u32le(9_999), u32le(1), u32le(0), Buffer.alloc(8));
  return [
    ['MP3: two frames', joined(mp3Frame(), mp3Frame()), /too few/],
    ['MP3: the last frame cut', frames.subarray(0, frames.length - 1), /truncated/],
    ['MP3: a byte between frames', joined(mp3Frame(), 'x', frames), /between frames/],
    ['MP3: a page behind the frames', joined(frames, '<script>alert(1)</script>'), /between frames/],
    ['MP3: free format', joined(mp3Frame(0xfb, 0x00), frames), 'unknown'],
    ['MP3: free format behind a tag', joined(id3, mp3Frame(0xfb, 0x00)), /no frame/],
    ['MP3: another sample rate half-way', joined(frames, mp3Frame(0xfb, 0x94, 384)), /two streams/],
    ['MP3: another version half-way', joined(frames, mp3Frame(0xf3, 0x90, 261)), /two streams/],
    ['MP3: a tag longer than the file', joined('ID3', [3, 0, 0, 0x7f, 0x7f, 0x7f, 0x7f], frames), /truncated/],
    ['MP3: a tag with an invalid size', joined('ID3', [3, 0, 0, 0xff, 0, 0, 0], frames), 'unknown'],
    ['MP3: a tag and nothing else', id3, /too few|no frame/],
    [
      'MP3: a tag without its footer',
      joined('ID3', [4, 0, 0x10, 0, 0, 0, 4], 'TIT2', Buffer.alloc(10), frames),
      /footer/,
    ],
    ['MP3: five tags', joined(id3, id3, id3, id3, id3, frames), /too many/],
    ['MP3: a page of zeros behind the tag', joined(id3, Buffer.alloc(9_000), frames), /no frame/],
    ['MP3: bytes behind the last tag', joined(tagged, 'x'), /between frames/],
    ['MP3: an APE tag longer than the file', joined(frames, ape), /overlaps/],
    ['MP3: lyrics without a beginning', joined(frames, '000099LYRICS200'), /Lyrics3/],
    ['MP3: AAC frames', joined([0xff, 0xf1, 0x50, 0x80], Buffer.alloc(500)), 'unknown'],
  ];
}

function spoiltOgg(): Case[] {
  const ogg = fixture('ffmpeg-opus.ogg');
  const first = oggPage({ flags: 2, sequence: 0, payload: opusHead });
  const tags = oggPage({ flags: 0, sequence: 1, payload: 'OpusTags' });
  const last = oggPage({ flags: 4, sequence: 2, payload: 'sound' });
  const theora = oggPage({ flags: 2, serial: 9, sequence: 0, payload: '\x80theora and more of it' });
  const cut = oggPage({ flags: 0, sequence: 2, payload: Buffer.alloc(255), lacing: [255] });
  const after = oggPage({ flags: 4, sequence: 3, payload: 'x' });
  const stranger = oggPage({ flags: 0, serial: 8, sequence: 1, payload: 'x' });
  const index = oggPage({ flags: 2, sequence: 0, payload: 'fishead\0' });
  return [
    ['Ogg: a flipped bit', patched(ogg, ogg.length - 9, [(ogg.at(-9) ?? 0) ^ 1]), /checksum/],
    ['Ogg: the checksum itself', patched(ogg, 22, [0, 0, 0, 0]), /checksum/],
    ['Ogg: cut in the last page', ogg.subarray(0, ogg.length - 1), /truncated/],
    ['Ogg: no end', joined(first, tags), /without its end/],
    ['Ogg: bytes behind the last page', joined(ogg, 'words'), /between pages/],
    ['Ogg: half a page header', joined(ogg, 'OggS\0'), /truncated/],
    ['Ogg: a missing page', joined(first, last), /missing/],
    ['Ogg: a page after the end', joined(first, tags, last, after), /after the end/],
    ['Ogg: a page of an unknown stream', joined(first, stranger), /unknown stream/],
    ['Ogg: video alone', theora, /not audio/],
    ['Ogg: video beside sound', joined(first, theora, tags, last), /not audio/],
    ['Ogg: video chained to sound', joined(first, tags, last, theora), /not audio/],
    ['Ogg: a stream that begins twice', joined(first, first, tags, last), /twice/],
    ['Ogg: a stream that begins late', joined(first, tags, first), /among/],
    ['Ogg: a packet that never continues', joined(first, tags, cut, after), /packet is cut/],
    ['Ogg: only an index', joined(index, tags), /not audio/],
    ['Ogg: Opus with no channel', oggPage({ flags: 2, sequence: 0, payload: patched(opusHead, 9, [0]) }), /not audio/],
  ];
}

function spoiltChunks(): Case[] {
  const wav = riff(format(), data);
  const notes = Array<Buffer>(1_001).fill(chunk('note', Buffer.alloc(0)));
  const [header, end] = [chunk('note', joined('%PDF-1.4\n')), chunk('note', joined('%%EOF\n'))];
  return [
    ['WAV: a byte behind the form', joined(wav, 'x'), /as long as/],
    ['WAV: cut', wav.subarray(0, wav.length - 2), /as long as/],
    ['WAV: a size left open by a recorder', patched(wav, 4, u32le(0xffffffff)), /as long as/],
    ['WAV: samples before their format', riff(data, format()), /before/],
    ['WAV: no samples', riff(format()), /samples/],
    ['WAV: an empty block of samples', riff(format(), chunk('data', Buffer.alloc(0))), /samples/],
    ['WAV: two blocks of samples', riff(format(), data, data), /samples/],
    ['WAV: two formats', riff(format(), format(), data), /format/],
    ['WAV: no format', riff(data), /format/],
    ['WAV: a chunk longer than the file', riff(format(), chunk('data', Buffer.alloc(100), 5_000)), /truncated/],
    ['WAV: a chunk without a name', riff(format(), data, chunk('\0\0\0\0', Buffer.alloc(4))), /name/],
    ['WAV: padding that hides a byte', riff(format(), data, joined('note', u32le(1), 'xy')), /padding/],
    ['WAV: a thousand and one chunks', riff(format(), data, ...notes), /broken/],
    ['WAV: a document in its notes', riff(header, format(), data, end), /also a PDF/],
    ['WAV: another form', joined('RIFF', u32le(4), 'AVI '), 'unknown'],
  ];
}

function spoiltFormats(): Case[] {
  return [
    ['WAV: no channel', riff(format({ channels: 0 }), data), /channels/],
    ['WAV: no rate', riff(format({ rate: 0 }), data), /rate/],
    ['WAV: a format that contradicts itself', riff(format({ byteRate: 9_000 }), data), /contradicts/],
    ['WAV: an unknown coding', riff(format({ coding: 0x1234 }), data), /coding/],
  ];
}
