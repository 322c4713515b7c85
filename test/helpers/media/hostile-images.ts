// Hostile and broken pictures of all five types, derived from valid ones and made from scratch.
import type { MediaType } from '../../../src/media/media-type.ts';
import { hostileAvifImages } from './hostile-avif-images.ts';
import { hostileGifImages } from './hostile-gif-images.ts';
import { hostileJpegImages } from './hostile-jpeg-images.ts';
import { hostilePngImages } from './hostile-png-images.ts';
import { hostileWebpImages } from './hostile-webp-images.ts';
import { type Case, find } from './image-surgery.ts';
import type { ValidImage } from './valid-images.ts';

export type HostileImage = {
  readonly name: string;
  readonly type: MediaType;
  readonly bytes: Buffer;
  /** A picture that is large but not broken is proved, with the dimensions that its decoder would have to allocate. */
  readonly size?: { readonly width: number; readonly height: number };
};

export function makeHostileImages(valid: ValidImage[]): HostileImage[] {
  const [jpeg, progressive] = [find(valid, 'image/jpeg', 'baseline'), find(valid, 'image/jpeg', 'progressive')];
  const [png, palette] = [find(valid, 'image/png', 'truecolour'), find(valid, 'image/png', 'palette')];
  const cases: [MediaType, Case[]][] = [
    ['image/jpeg', [...trailing(jpeg), ...hostileJpegImages(jpeg, progressive)]],
    ['image/png', [...trailing(png), ...hostilePngImages(png, palette)]],
    ['image/webp', [...trailing(find(valid, 'image/webp', 'lossy')), ...hostileWebpImages(valid)]],
    ['image/gif', [...trailing(find(valid, 'image/gif', 'still')), ...hostileGifImages()]],
    ['image/avif', [...trailing(find(valid, 'image/avif', 'lossy')), ...hostileAvifImages()]],
  ];
  return cases.flatMap(([type, list]) =>
    list.map(([name, bytes, size]) => ({ name, type, bytes, ...(size && { size }) })),
  );
}

function trailing(bytes: Buffer): Case[] {
  const zip = Buffer.from('504b0506000000000000000000000000000000000000', 'hex');
  const tails: [string, Buffer][] = [
    ['HTML', Buffer.from('<html><script>alert(1)</script></html>')],
    ['a ZIP', zip],
    ['a script', Buffer.from('*/=1;alert(1)//')],
    ['one zero', Buffer.alloc(1)],
    ['a newline', Buffer.from('\n')],
    ['itself again', bytes],
    ['a megabyte of zeros', Buffer.alloc(2 ** 20)],
  ];
  return tails.map(([name, tail]) => [`followed by ${name}`, Buffer.concat([bytes, tail])]);
}
