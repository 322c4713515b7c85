// Returns the page after sign-in: the one that sent the user here if it is on this host, or the account page.

export function nextPage(search: string, origin: string): string {
  const next = new URLSearchParams(search).get('next') ?? '';
  const place = next.startsWith('/') ? read(next, origin) : undefined;
  return place?.origin === origin && !place.pathname.startsWith('//') ? place.href : '/account';
}

/** Parses like the browser, which drops tabs, converts backslashes and resolves dots. Each can result in `//host`. */
function read(next: string, origin: string): URL | undefined {
  try {
    return new URL(next, origin);
  } catch {
    return undefined;
  }
}
