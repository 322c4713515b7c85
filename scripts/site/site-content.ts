// What the build makes of the documents: pages, pictures and the sections that the search finds.

export type Topic = {
  /** The last part of the address: /docs/<slug>. */
  readonly slug: string;
  readonly title: string;
  /** One sentence from the index of the documents. */
  readonly lead: string;
};

export type TopicGroup = { readonly title: string; readonly topics: readonly Topic[] };

export type Heading = { readonly id: string; readonly title: string; readonly depth: number };

export type TopicPage = { readonly html: string; readonly headings: readonly Heading[] };

/** A place that the search can lead to. */
export type SearchEntry = {
  readonly url: string;
  readonly title: string;
  /** The page that it is on, or the kind of the entry. */
  readonly place: string;
  readonly text: string;
};
