// The networks that contain a client, derived from its canonical IP address: IPv4 as it is, IPv6 as a /64.

type Network = {
  readonly text: string;
  /** The limit of the network as a multiple of the limit of one address. */
  readonly share: number;
};

const end = '::/64';

/**
 * Narrowest first. One customer can get a /48 (65,536 networks of 64 bits) for free, so its networks share a limit, and so do
 * all networks of one provider (/32). IPv4 addresses are scarce and many users share one, so each is counted alone.
 */
export function networksOf(address: string): readonly Network[] {
  const own = { text: address, share: 1 };
  if (!address.endsWith(end)) return [own];
  const [first, second, third] = address.slice(0, -end.length).split(':');
  return [own, { text: `${first}:${second}:${third}::/48`, share: 4 }, { text: `${first}:${second}::/32`, share: 40 }];
}

/** The wider network of a client: a /24 or a /48. Undefined if its IP address is not known. */
export function widerNetworkOf(address: string): string | undefined {
  if (address.endsWith(end)) return networksOf(address)[1]?.text;
  return /^(?:[^.]*\.){3}[^.]*$/.test(address) ? `${address.slice(0, address.lastIndexOf('.'))}.0/24` : undefined;
}
