// Rule: whether an app may get an answer at an address. The address must be listed as it is, character by character.
import type { App } from './app.ts';

const longestRedirectUri = 2048;

/** RFC 8252 section 7.3: a program on a device listens on any free port, so the port may differ, and nothing else. */
export function matchRedirectUri({ redirectUris, secretHash }: App, uri: string): boolean {
  if (uri.length > longestRedirectUri) return false;
  if (redirectUris.includes(uri)) return true;
  const given = secretHash === undefined ? splitLoopback(uri) : undefined;
  if (given === undefined) return false;
  return redirectUris.some((listed) => {
    const known = splitLoopback(listed);
    return known !== undefined && known.host === given.host && known.rest === given.rest;
  });
}

type Loopback = { readonly host: string; readonly rest: string };

const loopback = /^http:\/\/(127\.0\.0\.1|\[::1\]|localhost)(?::([1-9]\d{0,4}))?(|[/?][^#]*)$/;

/** Undefined for any other host. A user name before the host does not fit either. */
function splitLoopback(uri: string): Loopback | undefined {
  const [, host, port = '80', rest] = loopback.exec(uri) ?? [];
  return host === undefined || rest === undefined || Number(port) > 65_535 ? undefined : { host, rest };
}
