// Who is calling, as one canonical text: IPv4 as it is, IPv6 by its /64; forwarded headers are believed only from trusted proxies.
import ipaddr from 'ipaddr.js';

type Address = ipaddr.IPv4 | ipaddr.IPv6;

/** The longest spelling of an address, with its zone, its port and the spaces around it. */
const longestHop = 100;
/** No chain of honest proxies is longer; what stands before it is not looked at. */
const mostHops = 32;

export type ClientAddress = (remote: string | undefined, forwardedFor: string | undefined) => string;

export function createClientAddress(trustedProxies: readonly string[]): ClientAddress {
  const networks = trustedProxies.map(parseNetwork);
  const isTrusted = (address: Address) =>
    networks.some(([network, bits]) => network.kind() === address.kind() && address.match(network as never, bits));
  const remembered = new Map<string, string>();
  return (remote, forwardedFor) => {
    if (networks.length === 0 || forwardedFor === undefined) return remember(remembered, remote ?? '');
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

/** As a person writes an address; undefined where it is none. */
export function canonicalAddress(text: string): string | undefined {
  const address = parse(text.replace(/\/64$/, ''));
  return address && canonical(address);
}

/** Connections are many, callers few: the last addresses need no parsing. */
function remember(remembered: Map<string, string>, remote: string): string {
  const known = remembered.get(remote);
  if (known !== undefined) return known;
  const address = parse(remote);
  const text = address === undefined ? 'unknown' : canonical(address);
  if (remembered.size >= 10_000) remembered.clear();
  remembered.set(remote, text);
  return text;
}

/** Takes `1.2.3.4`, `1.2.3.4:567`, `[::1]:567`, `fe80::1%eth0` and mapped addresses. */
function parse(text: string): Address | undefined {
  if (text.length > longestHop) return undefined;
  const [trimmed = ''] = text
    .trim()
    .replace(/^\[([^\]]+)\](:\d+)?$/, '$1')
    .replace(/^(\d+\.\d+\.\d+\.\d+):\d+$/, '$1')
    .split('%', 1);
  return ipaddr.isValid(trimmed) && (trimmed.includes(':') || /^\d+\.\d+\.\d+\.\d+$/.test(trimmed))
    ? ipaddr.process(trimmed)
    : undefined;
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
