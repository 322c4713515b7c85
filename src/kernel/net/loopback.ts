// Tells this machine from other machines: connections to other machines must not be in plain text unless the settings allow it.

export function isLoopback(hostname: string): boolean {
  return /^(localhost|.+\.localhost|127\.\d+\.\d+\.\d+|\[?::1\]?)$/.test(hostname.toLowerCase());
}

/** Takes `host[:port]`. Hosts in a private network count as elsewhere: others on that network can read the traffic. */
export function isElsewhere(place: string): boolean {
  const url = `http://${place}`;
  return place !== '' && !(URL.canParse(url) && isLoopback(new URL(url).hostname));
}
