// Loads what a view shows. What is asked for while it loads is loaded again afterwards, so that the view does not stay behind a change.
import { useRef } from 'preact/hooks';
import type { Task } from './use-task.ts';

/** The task does nothing else, because it runs one action at a time. */
export function useLoading(task: Task, work: () => Promise<void>): () => void {
  const isWanted = useRef(false);
  const latest = useRef(work);
  latest.current = work;
  return () => {
    isWanted.current = true;
    task.run(async () => {
      while (isWanted.current) {
        isWanted.current = false;
        await latest.current();
      }
    });
  };
}
