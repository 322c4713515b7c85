// Serves the pages' scripts and styles. The build compresses them and hashes their names, so browsers may cache them for ever.
import type { FastifyInstance } from 'fastify';

export type Asset = {
  readonly path: string;
  readonly type: string;
  /** The content in each encoding, as base64. */
  readonly plain: string;
  readonly gzip: string;
  readonly brotli: string;
};

export function registerAssets(server: FastifyInstance, assets: readonly Asset[]): void {
  for (const { path, type, plain, gzip, brotli } of assets) {
    const bodies = [
      ['br', Buffer.from(brotli, 'base64')],
      ['gzip', Buffer.from(gzip, 'base64')],
    ] as const;
    const uncompressed = Buffer.from(plain, 'base64');
    server.get(path, async ({ headers }, reply) => {
      const accepted = headers['accept-encoding']?.toString() ?? '';
      const coded = bodies.find(([coding]) => accepts(accepted, coding));
      reply.headers({ 'cache-control': 'public, max-age=31536000, immutable', vary: 'Accept-Encoding' }).type(type);
      if (coded === undefined) return reply.send(uncompressed);
      return reply.header('content-encoding', coded[0]).send(coded[1]);
    });
  }
}

/** RFC 9110 section 12.5.3, as far as browsers use it: the coding is named, and its weight is not 0. */
function accepts(header: string, coding: string): boolean {
  return header.split(',').some((part) => {
    const [name = '', weight = ''] = part.split(';');
    return name.trim().toLowerCase() === coding && !/^\s*q=0(\.0*)?\s*$/.test(weight);
  });
}
