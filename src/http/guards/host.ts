// Guard: what needs no credential is given only under names that no stranger can own, against pages that rebind theirs to us.
import { isIP } from 'node:net';
import type { FastifyRequest } from 'fastify';
import { Failure } from '../../kernel/failure.ts';

export type HostGuard = (request: FastifyRequest) => void;

/**
 * Its own name, localhost and literal addresses. Not `.local`, `.lan`, `.internal` or names of one word: in a foreign network
 * whoever answers first gives those away.
 */
export function createHostGuard(publicUrl: string): HostGuard {
  const own = new Set([new URL(publicUrl).hostname, 'localhost']);
  return ({ headers: { host } }) => {
    // HTTP/1.0 without a name: no browser sent this.
    if (host === undefined) return;
    const name = nameIn(host.toLowerCase());
    if (!own.has(name) && !isAddress(name)) throw new Failure('REQUEST_INVALID', { field: 'host' });
  };
}

/** Without the port and the dot at its end. */
function nameIn(host: string): string {
  const colon = host.lastIndexOf(':');
  const name = colon > host.lastIndexOf(']') ? host.slice(0, colon) : host;
  return name.endsWith('.') ? name.slice(0, -1) : name;
}

function isAddress(name: string): boolean {
  return name.startsWith('[') && name.endsWith(']') ? isIP(name.slice(1, -1)) === 6 : isIP(name) === 4;
}
