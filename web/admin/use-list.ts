// A list that loads page by page: the items so far, whether there are more, and the error.
import { useEffect, useState } from 'preact/hooks';
import { type Task, useTask } from '../parts/use-task.ts';
import { texts } from './admin-texts.ts';

export type List<T> = {
  /** Undefined until the first page is loaded. */
  readonly items: readonly T[] | undefined;
  readonly more: (() => void) | undefined;
  readonly reload: () => void;
  readonly task: Task;
};

type Page<T> = { readonly items: readonly T[]; readonly next: string | null };

/** Starts again when the key changes. */
export function useList<T>(key: string, load: (cursor: string | undefined) => Promise<Page<T>>): List<T> {
  const [page, setPage] = useState<Page<T> | undefined>();
  const task = useTask(texts.offline);
  const reload = () => task.run(async () => setPage(await load(undefined)));
  useEffect(() => {
    setPage(undefined);
    reload();
  }, [key]);
  const next = page?.next ?? undefined;
  const more = () =>
    task.run(async () => {
      const further = await load(next);
      setPage({ items: [...(page?.items ?? []), ...further.items], next: further.next });
    });
  return { items: page?.items, more: next === undefined ? undefined : more, reload, task };
}
