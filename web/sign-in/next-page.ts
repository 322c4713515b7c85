// Where a person goes after signing in: to the page that sent them here, if it is one of this host, else to the account.

export function goOn(): void {
  location.replace(nextPage(location.search));
}

export function nextPage(search: string): string {
  const next = new URLSearchParams(search).get('next') ?? '';
  // Two slashes, or one and a backslash, would lead to another host.
  return /^\/(?![/\\])/.test(next) ? new URL(next, 'http://here').href.slice('http://here'.length) : '/account';
}
