// Where a person goes after signing in: to the page that sent them here, if it is one of this host, else to the account.

export function nextPage(search: string, origin: string): string {
  const next = new URLSearchParams(search).get('next') ?? '';
  const place = next.startsWith('/') ? read(next, origin) : undefined;
  return place?.origin === origin && !place.pathname.startsWith('//') ? place.href : '/account';
}

/** As the browser will: it drops tabs, turns backslashes and resolves dots, and any of these can leave two slashes and a host. */
function read(next: string, origin: string): URL | undefined {
  try {
    return new URL(next, origin);
  } catch {
    return undefined;
  }
}
