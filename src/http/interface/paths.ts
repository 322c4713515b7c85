// Paths that code outside the route tables needs: cookie paths, file URLs, and probes that are answered during the start.

export const paths = {
  /** The path of the cookies with the refresh token and the ask token. */
  auth: '/api/auth',
  /** The path of the staff session cookie. */
  admin: '/api/admin',
  file: '/file/:id',
  inbox: '/api/inbox',
  live: '/livez',
  ready: '/readyz',
} as const;

/** The path that serves the bytes of a file. */
export function fileUrl(id: string): string {
  return paths.file.replace(':id', () => id);
}
