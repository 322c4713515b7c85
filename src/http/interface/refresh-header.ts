// The refresh token of the header RT: bare, or after “Bearer ”; an empty one is none, and the cookie counts.

export function readRefreshHeader(header: string | undefined): string | undefined {
  const token = header?.replace(/^bearer(?: +|$)/i, '').trim();
  return token === '' ? undefined : token;
}
