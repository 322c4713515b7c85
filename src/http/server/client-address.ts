// The client's IP address as canonical text: an IPv4 address, or an IPv6 /64. Forwarded headers count only from trusted proxies.
import ipaddr from 'ipaddr.js';

type Address = ipaddr.IPv4 | ipaddr.IPv6;

/** Characters of the longest IP address with zone, port and surrounding spaces. */
const longestHop = 100;
/** No real chain of proxies is longer. Earlier entries are ignored. */
const mostHops = 32;

export type ClientAddress = (remote: string | undefined, forwardedFor: string | undefined) => string;

export function createClientAddress(trustedProxies: readonly string[]): ClientAddress {
  const networks = trustedProxies.map(parseNetwork);
  const isTrusted = (address: Address) =>
    networks.some(([network, bits]) => network.kind() === address.kind() && address.match(network as never, bits));
  const cache = new Map<string, string>();
  return (remote, forwardedFor) => {
    if (networks.length === 0 || forwardedFor === undefined) return canonicalCached(cache, remote ?? '');
    let address = parse(remote ?? '');
    for (const hop of forwardedFor.split(',').slice(-mostHops).reverse()) {
      if (address === undefined || !isTrusted(address)) break;
      const next = parse(hop);
      if (next === undefined) break;
      address = next;
    }
    return address === undefined ? 'unknown' : canonical(address);
  };
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
  // An octet with a leading zero is octal for some parsers and decimal for others, so it is refused.
  const isAddress = trimmed.includes(':') ? ipaddr.IPv6.isValid(trimmed) : ipaddr.IPv4.isValidFourPartDecimal(trimmed);
  return isAddress ? ipaddr.process(trimmed) : undefined;
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
