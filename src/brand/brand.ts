// The brand of the operator: what users see of it on the pages and in messages.

/** Addresses that the pages and mails link to. Null: the operator names none. */
export type BrandLinks = {
  readonly terms: string | null;
  readonly privacy: string | null;
  readonly support: string | null;
};

/** What a page gets. Logos are addresses of this service. Null: the page shows its own mark. */
export type ShownBrand = {
  readonly name: string;
  readonly logo: { readonly light: string; readonly dark: string } | null;
  readonly links: BrandLinks;
};

export type Brand = {
  readonly name: string;
  readonly links: BrandLinks;
};

export function showBrand({ name, links }: Brand): ShownBrand {
  return { name, logo: null, links };
}
