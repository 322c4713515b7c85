// Files of very many small parts, or of one part without an end. All are broken, and would take a careless prover long.
import { avif, box, fullBox, item } from './avif-builder.ts';
import { extension, frame, gif, pixel, screen, subBlocks } from './gif-builder.ts';
import { jpeg, plainJpeg, quantization, scan, segment } from './jpeg-builder.ts';
import { element } from './media-builders.ts';
import { hex, joined, type Part, patched } from './media-files.ts';
import { chunk, end, grey, pixels, png } from './png-builder.ts';
import { info, webm } from './webm-builder.ts';
import { animation, extended, flags, lossless, riffChunk, sized, webp, frame as webpFrame } from './webp-builder.ts';

type FloodFile = { readonly name: string; readonly bytes: Buffer };

export function floodFiles(): FloodFile[] {
  return Object.entries({ ...jpegs(), ...pngs(), ...webps(), ...gifs(), ...avifs(), ...webms() }).map(
    ([name, bytes]) => ({ name, bytes }),
  );
}

function times(count: number, part: Part): Buffer {
  const bytes = joined(part);
  return Buffer.alloc(count * bytes.length, bytes);
}

function jpegs(): Record<string, Buffer> {
  const rest = plainJpeg.subarray(2);
  const open = jpeg().subarray(0, 2);
  return {
    'a JPEG of 20,000 empty comments': joined(open, times(20_000, segment(0xfe)), rest),
    'a JPEG of 4 MiB of fill bytes': joined(open, Buffer.alloc(2 ** 22, 0xff), rest),
    'a JPEG of 8 MiB of stuffed bytes and no end': joined(open, scan({ data: times(2 ** 22, [0xff, 0]) })),
    'a JPEG of 8 MiB of restarts and no end': joined(
      open,
      scan({ data: times(2 ** 19, hex('ffd0ffd1ffd2ffd3ffd4ffd5ffd6ffd7')) }),
    ),
    'a JPEG of 4 MiB of quantization tables and no end': joined(open, times(64, quantization(...Array(1_000).fill(0)))),
    'a JPEG of 1,000 scans': joined(open, times(1_000, scan()), rest),
  };
}

function pngs(): Record<string, Buffer> {
  const flood = (middle: Buffer) => joined(png(grey), middle, chunk(...pixels), chunk(...end));
  return {
    'a PNG of 200,000 empty chunks': flood(times(200_000, chunk('teXt'))),
    'a PNG of 200,000 empty image chunks': flood(times(200_000, chunk('IDAT'))),
    'a PNG of 200,000 frames': flood(times(200_000, chunk('fcTL', Buffer.alloc(26)))),
    'a PNG of 8 MiB in a chunk with a wrong checksum': flood(patched(chunk('prVt', Buffer.alloc(2 ** 23)), 9, [1])),
  };
}

function webps(): Record<string, Buffer> {
  const moving = [riffChunk(...extended(2, 2, flags.animation)), riffChunk(...animation)];
  const [still, picture] = [riffChunk(...extended(2, 2)), riffChunk(...lossless(2, 2))];
  const empty = riffChunk('junk', Buffer.alloc(0));
  const flood = (...parts: Buffer[]) => sized(joined(webp(), ...parts));
  return {
    'a WebP of 200,000 empty chunks': flood(still, times(200_000, empty), picture),
    'a WebP of 30,000 frames': flood(...moving, times(30_000, riffChunk(...webpFrame({}, lossless(2, 2))))),
    'a WebP with a frame of 200,000 empty chunks': flood(
      ...moving,
      riffChunk('ANMF', joined(webpFrame({})[1], times(200_000, empty))),
    ),
  };
}

function gifs(): Record<string, Buffer> {
  return {
    'a GIF of 100,000 empty frames': gif(times(100_000, frame({}, subBlocks()))),
    'a GIF of 100,000 frames': gif(times(100_000, pixel)),
    'a GIF of 500,000 empty comments': gif(times(500_000, extension(0xfe)), pixel),
    'a GIF of 8 MiB of sub-blocks of one byte and no end': joined(
      screen(1, 1),
      pixel.subarray(0, 11),
      times(2 ** 22, [1, 0x41]),
    ),
  };
}

function avifs(): Record<string, Buffer> {
  const nested = Array.from({ length: 2_000 }).reduce<Buffer>((inner) => fullBox('meta', 0, inner), Buffer.alloc(0));
  return {
    'an AVIF of 2,000 boxes in each other': avif({ meta: { iprp: box('iprp', nested) } }),
    'an AVIF of 500,000 empty boxes': avif({ extra: times(500_000, box('free')) }),
    'an AVIF of 500,000 empty boxes in meta': avif({ meta: { pitm: times(500_000, box('free')) } }),
    'an AVIF of 90,000 items': avif({
      meta: { iinf: fullBox('iinf', 0, hex('ffff'), times(90_000, item(1, 'av01'))) },
    }),
    'an AVIF of 1 MiB of locations': avif({
      meta: { iloc: fullBox('iloc', 0, hex('4400ffff'), Buffer.alloc(2 ** 20)) },
    }),
  };
}

function webms(): Record<string, Buffer> {
  const nested = Array.from({ length: 400 }).reduce<Buffer>((inner) => element(0x67c8, inner), Buffer.alloc(0));
  return {
    'a WebM of 30,000 empty elements': webm(times(30_000, [0xec, 0x80])),
    'a WebM of tags in tags in tags': webm(info, element(0x1254c367, element(0x7373, nested))),
  };
}
