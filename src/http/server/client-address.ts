// The client's IP address as canonical text: an IPv4 address, or an IPv6 /64. Forwarded headers count only from trusted proxies.
import type { IncomingMessage } from 'node:http';
import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';

type Address = ipaddr.IPv4 | ipaddr.IPv6;

/** Characters of the longest IP address with zone, port and surrounding spaces. */
const longestHop = 100;
/** No real chain of proxies is longer. Earlier entries are ignored. */
const mostHops = 32;

export type ClientAddress = (remote: string | undefined, forwardedFor: string | undefined) => string;

export function createClientAddress(trustedProxies: readonly string[]): ClientAddress {
  const find = createFinder(trustedProxies);
  const cache = new Map<string, string>();
  return (remote, forwardedFor) => {
    if (trustedProxies.length === 0 || forwardedFor === undefined) return canonicalCached(cache, remote ?? '');
    const address = find(remote, forwardedFor);
    return address === undefined ? 'unknown' : canonical(address);
  };
}

type NetworkCheck = (remote: string | undefined, forwardedFor: string | undefined) => boolean;

/** Whether the client is in one of the networks. Compares the whole address: an IPv6 network may be smaller than a /64. */
export function createNetworkCheck(networks: readonly string[], trustedProxies: readonly string[]): NetworkCheck {
  // A proxy that cannot name its client does not lend it its own address.
  const find = createFinder(trustedProxies, () => undefined);
  const isIn = createMatcher(networks);
  return (remote, forwardedFor) => {
    const address = find(remote, forwardedFor);
    return address !== undefined && isIn(address);
  };
}

type Sent = Pick<IncomingMessage, 'socket' | 'headers'>;

/** Whether a request comes from one of the networks. Every request does if there are none. */
export function createFromCheck(networks: readonly string[], trustedProxies: readonly string[]) {
  const isFrom = createNetworkCheck(networks, trustedProxies);
  return ({ socket, headers }: Sent): boolean =>
    networks.length === 0 || isFrom(socket.remoteAddress, forwardedFor(headers['x-forwarded-for']));
}

/** The address of the client: of the connection, or what the last trusted proxy saw. Undefined if it is not an IP address. */
function createFinder(
  trustedProxies: readonly string[],
  atUnreadable = (proxy: Address): Address | undefined => proxy,
) {
  const isTrusted = createMatcher(trustedProxies);
  return (remote: string | undefined, forwardedFor: string | undefined): Address | undefined => {
    let address = parse(remote ?? '');
    for (const hop of forwardedFor?.split(',').slice(-mostHops).reverse() ?? []) {
      if (address === undefined || !isTrusted(address)) break;
      const next = parse(hop);
      if (next === undefined) return atUnreadable(address);
      address = next;
    }
    return address;
  };
}

function createMatcher(texts: readonly string[]) {
  const networks = texts.map(parseNetwork);
  return (address: Address): boolean =>
    networks.some(([network, bits]) => network.kind() === address.kind() && address.match(network as never, bits));
}

/** The header may be repeated. */
export function forwardedFor(header: string | string[] | undefined): string | undefined {
  return Array.isArray(header) ? header.join(',') : header;
}

/** Takes an IP address as an operator types it. Undefined if the text is not an IP address. */
export function canonicalAddress(text: string): string | undefined {
  const address = parse(text.replace(/\/64$/, ''));
  return address && canonical(address);
}

/** Few clients open many connections, so recent IP addresses are cached instead of parsed again. */
function canonicalCached(cache: Map<string, string>, remote: string): string {
  const known = cache.get(remote);
  if (known !== undefined) return known;
  const address = parse(remote);
  const text = address === undefined ? 'unknown' : canonical(address);
  if (cache.size >= 10_000) cache.clear();
  cache.set(remote, text);
  return text;
}

/** Takes `1.2.3.4`, `1.2.3.4:567`, `[::1]:567`, `fe80::1%eth0` and IPv4-mapped IPv6 addresses. */
function parse(text: string): Address | undefined {
  if (text.length > longestHop) return undefined;
  const [trimmed = ''] = text
    .trim()
    .replace(/^\[([^\]]+)\](:\d+)?$/, '$1')
    .replace(/^(\d+\.\d+\.\d+\.\d+):\d+$/, '$1')
    .split('%', 1);
  // Stricter than ipaddr: an octet with a leading zero is octal for some parsers and decimal for others, so it is refused.
  return isIP(trimmed) === 0 ? undefined : ipaddr.process(trimmed);
}

function parseNetwork(text: string): [Address, number] {
  if (text.includes('/')) return ipaddr.parseCIDR(text);
  const address = ipaddr.process(text);
  return [address, address.kind() === 'ipv4' ? 32 : 128];
}

function canonical(address: Address): string {
  if (address.kind() === 'ipv4') return address.toString();
  const parts = (address as ipaddr.IPv6).parts.slice(0, 4);
  return `${parts.map((part) => part.toString(16)).join(':')}::/64`;
}
