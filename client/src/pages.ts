// Goes through a list page by page. The next page is asked for when the last item of the one before is taken.

export type Page<T> = { readonly items: readonly T[]; readonly next: string | null };

export async function* eachItem<T>(
  ask: (cursor: string | undefined) => Promise<Page<T>>,
  cursor?: string | undefined,
): AsyncGenerator<T, void, undefined> {
  for (let at: string | null | undefined = cursor; at !== null; ) {
    const { items, next } = await ask(at);
    yield* items;
    at = next;
  }
}
