// The addresses that an app may list: where the browser goes after a sign-in or a sign-out.

const longestUri = 2000;

/** The hosts of native apps. “localhost” is here because many tools insist on it. */
function isLoopbackHost(hostname: string): boolean {
  return hostname === '127.0.0.1' || hostname === '[::1]' || hostname === 'localhost';
}

/** What must change, or undefined if the address is fit. An address is compared as text, so it must be written in its normal form. */
export function problemOfUri(uri: string, isPublic: boolean): string | undefined {
  if (uri.length > longestUri) return `must have at most ${longestUri} characters`;
  if (uri.includes('*')) return 'must not contain a wildcard: list each address';
  if (!URL.canParse(uri)) return 'must be an absolute address, such as https://app.example.com/callback';
  const url = new URL(uri);
  if (uri.includes('#')) return 'must not contain a fragment (#)';
  if (url.username !== '' || url.password !== '') return 'must not contain a user name or password';
  return problemOfScheme(url, isPublic) ?? (url.href === uri ? undefined : `must be written as ${url.href}`);
}

function problemOfScheme(url: URL, isPublic: boolean): string | undefined {
  if (url.protocol === 'https:') return undefined;
  if (url.protocol === 'http:')
    return isLoopbackHost(url.hostname)
      ? undefined
      : 'must begin with https: http is only for 127.0.0.1, [::1] and localhost';
  if (!url.protocol.includes('.'))
    return 'must begin with https, or with a scheme that contains a dot, such as com.example.app:/callback';
  if (!isPublic) return 'must begin with https, because the app has a secret: programs on a device cannot keep one';
  return url.href.startsWith(`${url.protocol}/`) ? undefined : `needs a slash after the scheme: ${url.protocol}/…`;
}
