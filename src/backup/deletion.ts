// What was deleted, as a restore must know it: a backup that is older would bring it back.

export type Deletion = {
  readonly kind: 'user' | 'file';
  readonly id: string;
  readonly at: number;
};

/** Among the next events, as many as a page has: a page costs the same however few of them tell of a deletion. */
export type DeletionPage = { readonly deletions: readonly Deletion[]; readonly next: string | undefined };
