// Reads the refresh token from the header RT, with or without “Bearer ”. An empty header counts as missing: the cookie is used.

export function readRefreshHeader(header: string | undefined): string | undefined {
  const token = header?.replace(/^bearer(?: +|$)/i, '').trim();
  return token === '' ? undefined : token;
}
