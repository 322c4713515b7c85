// The channels that a message may take. A new one compiles only where everything that treats channels differently says how to treat it.

export const channels = ['sms', 'mail'] as const;

export type Channel = (typeof channels)[number];

/** One value for each channel. */
export type PerChannel<Value> = Readonly<Record<Channel, Value>>;

export function perChannel<Value>(make: (channel: Channel) => Value): PerChannel<Value> {
  return Object.fromEntries(channels.map((channel) => [channel, make(channel)])) as Record<Channel, Value>;
}
