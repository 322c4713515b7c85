// Guard: serves data without a credential only under host names that an attacker cannot own. Prevents DNS rebinding.
import ipaddr from 'ipaddr.js';
import { Failure } from '../../kernel/failure.ts';
import type { HttpRequest } from '../server/request.ts';

export type HostGuard = (request: HttpRequest) => void;

/**
 * Accepts the service's own name, localhost and IP addresses. Refuses `.local`, `.lan`, `.internal` and single-label names: in
 * an untrusted network any machine can claim those.
 */
export function createHostGuard(publicUrl: string): HostGuard {
  const own = new Set([new URL(publicUrl).hostname, 'localhost']);
  return ({ headers: { host } }) => {
    // HTTP/1.0 without a host: browsers do not send this.
    if (host === undefined) return;
    const name = nameIn(host.toLowerCase());
    if (!own.has(name) && !isAddress(name)) throw new Failure('REQUEST_INVALID', { field: 'host' });
  };
}

/** Removes the port and a trailing dot. */
function nameIn(host: string): string {
  const colon = host.lastIndexOf(':');
  const name = colon > host.lastIndexOf(']') ? host.slice(0, colon) : host;
  return name.endsWith('.') ? name.slice(0, -1) : name;
}

function isAddress(name: string): boolean {
  const inner = /^\[(.*)\]$/.exec(name)?.[1];
  return inner === undefined ? ipaddr.IPv4.isValidFourPartDecimal(name) : ipaddr.IPv6.isValid(inner);
}
