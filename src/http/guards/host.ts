// Guard: what needs no credential is given only under a name that no stranger can own, against pages that rebind theirs to us.
import { isIP } from 'node:net';
import type { FastifyRequest } from 'fastify';
import { Failure } from '../../kernel/failure.ts';

export type HostGuard = (request: FastifyRequest) => void;

/** No one can register these: names of one word, and endings that are kept for private use. */
const privateName = /^[^.]+$|\.(?:localhost|localdomain|local|internal|test|lan|home\.arpa)$/;

export function createHostGuard(publicUrl: string): HostGuard {
  const { hostname: own } = new URL(publicUrl);
  return ({ headers: { host } }) => {
    // HTTP/1.0 without a name: no browser sent this.
    if (host === undefined) return;
    const name = host.toLowerCase().replace(/:\d*$/, '').replace(/\.$/, '');
    const isAddress = name.startsWith('[') || isIP(name) !== 0;
    if (name !== own && !isAddress && !privateName.test(name)) throw new Failure('REQUEST_INVALID', { field: 'host' });
  };
}
