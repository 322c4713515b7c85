// Serves the pages' scripts and styles. The build compresses them and hashes their names, so browsers may cache them for ever.
import type { Routes } from '../server/server.ts';

export type Asset = {
  readonly path: string;
  readonly type: string;
  /** The content in each encoding, as base64. */
  readonly plain: string;
  readonly gzip: string;
  readonly brotli: string;
};

type Coded = { readonly coding?: 'br' | 'gzip'; readonly body: Buffer };

export function registerAssets(server: Routes, assets: readonly Asset[]): void {
  for (const asset of assets) {
    const choose = createChoice(asset);
    server.get(asset.path, async ({ headers }, reply) => {
      const { coding, body } = choose(headers['accept-encoding']?.toString());
      reply
        .headers({ 'cache-control': 'public, max-age=31536000, immutable', vary: 'Accept-Encoding' })
        .type(asset.type);
      if (coding !== undefined) reply.header('content-encoding', coding);
      return reply.send(body);
    });
  }
}

/** Returns the smallest form that the client accepts. */
export function createChoice({ plain, gzip, brotli }: Omit<Asset, 'path' | 'type'>) {
  const uncompressed = { body: Buffer.from(plain, 'base64') };
  const coded = [
    { coding: 'br', body: Buffer.from(brotli, 'base64') },
    { coding: 'gzip', body: Buffer.from(gzip, 'base64') },
  ] as const;
  return (accepted = ''): Coded => coded.find(({ coding }) => accepts(accepted, coding)) ?? uncompressed;
}

/** RFC 9110 section 12.5.3, as far as browsers use it: the coding is named, and its weight is not 0. */
export function accepts(header: string, coding: string): boolean {
  return header.split(',').some((part) => {
    const [name = '', weight = ''] = part.split(';');
    return name.trim().toLowerCase() === coding && !/^\s*q=0(\.0*)?\s*$/.test(weight);
  });
}
