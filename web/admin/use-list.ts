// A list that loads page by page: the items so far, whether there are more, and the error.
import { useEffect, useRef, useState } from 'preact/hooks';
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

/** Starts again when the key changes. What another key has loaded is not shown. */
export function useList<T>(key: string, load: (cursor: string | undefined) => Promise<Page<T>>): List<T> {
  const [loaded, setLoaded] = useState<(Page<T> & { readonly key: string }) | undefined>();
  const task = useTask(texts.offline);
  const isWanted = useRef(false);
  const latest = useRef({ key, load });
  latest.current = { key, load };
  /** A list that is asked for while another page loads is loaded after it. */
  const run = (work: () => Promise<void>) =>
    task.run(async () => {
      await work();
      while (isWanted.current) {
        isWanted.current = false;
        const wanted = latest.current;
        setLoaded({ ...(await wanted.load(undefined)), key: wanted.key });
      }
    });
  const reload = () => {
    isWanted.current = true;
    run(async () => undefined);
  };
  useEffect(reload, [key]);
  const page = loaded?.key === key ? loaded : undefined;
  const next = page?.next ?? undefined;
  const more = () =>
    run(async () => {
      const further = await load(next);
      setLoaded({ key, items: [...(page?.items ?? []), ...further.items], next: further.next });
    });
  return { items: page?.items, more: next === undefined ? undefined : more, reload, task };
}
