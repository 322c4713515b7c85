// The networks that a caller lies in, told from the canonical text of an address: IPv4 as it is, IPv6 by its /64.

export type Network = {
  readonly text: string;
  /** How many times the count of one address the whole network gets. */
  readonly share: number;
};

const end = '::/64';

/**
 * Narrowest first. One customer may hold 65,536 networks of 64 bits (a /48) for nothing, so these are counted together, and so are
 * those of one provider (/32). IPv4 addresses are scarce, and many people share one: they stand for themselves.
 */
export function networksOf(address: string): readonly Network[] {
  const own = { text: address, share: 1 };
  if (!address.endsWith(end)) return [own];
  const [first, second, third] = address.slice(0, -end.length).split(':');
  return [own, { text: `${first}:${second}:${third}::/48`, share: 4 }, { text: `${first}:${second}::/32`, share: 40 }];
}

/** Where a client is, roughly: a /24 or a /48; undefined where its address is not known. */
export function neighbourhoodOf(address: string): string | undefined {
  if (address.endsWith(end)) return networksOf(address)[1]?.text;
  const octets = address.split('.');
  return octets.length === 4 ? `${octets.slice(0, 3).join('.')}.0/24` : undefined;
}
