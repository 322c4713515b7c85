// The paths that code beside the tables needs: where cookies go, what records link to, what is answered before the routes stand.

export const paths = {
  /** Everything under it gets the cookie of the refresh token. */
  auth: '/api/auth',
  /** Everything under it gets the cookie of the support staff. */
  admin: '/api/admin',
  file: '/file/:id',
  inbox: '/api/inbox',
  live: '/livez',
  ready: '/readyz',
} as const;

/** Where the bytes of a file are read. */
export function fileUrl(id: string): string {
  return paths.file.replace(':id', () => id);
}
