// What lies on this machine, and what lies elsewhere: to other machines nothing goes in plain text unless that was asked for.

export function isLoopback(hostname: string): boolean {
  return /^(localhost|.+\.localhost|127\.\d+\.\d+\.\d+|\[?::1\]?)$/.test(hostname.toLowerCase());
}

/** Of `host[:port]`. Names of a private network count as elsewhere: who shares the network can read along. */
export function isElsewhere(place: string): boolean {
  const url = `http://${place}`;
  return place !== '' && !(URL.canParse(url) && isLoopback(new URL(url).hostname));
}
