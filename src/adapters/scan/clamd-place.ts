// Where clamd listens: a TCP address or a Unix socket, as SCAN_URL names it.
import { isIPv6 } from 'node:net';
import type { ProviderUrl } from '../../kernel/net/provider-url.ts';

export type ClamdPlace = { readonly host: string; readonly port: number } | { readonly path: string };

const usualPort = 3310;
/** A name or an IPv4 address, or an IPv6 address in brackets; and a port. */
const address = /^(?:([\w.-]+)|\[([\da-fA-F:.]+)\])(?::(\d{1,5}))?$/;
/** Linux cuts longer names of sockets off. */
const longestPathBytes = 107;

/** Undefined if the URL is neither an address nor the path of a socket, or has parts that clamd does not know. */
export function placeOf({ id, secret, host, path, query }: ProviderUrl): ClamdPlace | undefined {
  if (id !== '' || secret !== '' || Object.keys(query).length > 0) return undefined;
  if (host === '') return isSocketPath(path) ? { path } : undefined;
  const [, name = '', six = name, port = String(usualPort)] = address.exec(host) ?? [];
  const isGood = (name !== '' || isIPv6(six)) && Number(port) > 0 && Number(port) <= 65_535;
  return path === '' && isGood ? { host: six, port: Number(port) } : undefined;
}

function isSocketPath(path: string): boolean {
  return /^\/[^/\0]/.test(path) && !path.endsWith('/') && Buffer.byteLength(path) <= longestPathBytes;
}
