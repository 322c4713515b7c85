// The requests of uploads in several requests that run on this node: a newer one cuts an older one, and all join one finish.
import { waitFor } from '../kernel/deadline.ts';
import type { UploadStep } from './upload-request.ts';

/** Why a running append ends before its body does. */
export type CutReason = 'taken over' | 'asked for' | 'stopping';

export type RunningAppend = {
  /** Aborted with the reason when the append must end. */
  readonly signal: AbortSignal;
  /** Must be called when the append has ended. */
  end(): void;
};

export type RunningUploads = {
  /** A new append. It cuts an older one of the same upload at once. */
  begin(uploadId: string, userId: string): RunningAppend;
  /** Cuts the append of this user, if one runs here, and resolves when it has ended. Asked for: it keeps what has arrived. */
  cut(uploadId: string, userId: string, reason: CutReason): Promise<void>;
  /** Runs the work, unless it runs already: then its result is shared. */
  finish(uploadId: string, work: () => Promise<UploadStep>): Promise<UploadStep>;
  /** The finish that runs here. */
  finishing(uploadId: string): Promise<UploadStep> | undefined;
  /** Work that follows an answer, such as the removal of parts. */
  follow(work: Promise<unknown>): void;
  /** Before the service stops: cuts every append, which keeps what has arrived. New ones are cut as soon as they begin. */
  stop(): void;
  /** Resolves when nothing runs any more, or after this time. */
  settled(milliseconds: number): Promise<void>;
};

type Append = { readonly userId: string; readonly controller: AbortController; readonly ended: Promise<void> };

export function createRunningUploads(): RunningUploads {
  const appends = new Map<string, Append>();
  const finishes = new Map<string, Promise<UploadStep>>();
  const running = new Set<Promise<unknown>>();
  let isStopping = false;
  const follow = (work: Promise<unknown>) => {
    const quiet = work.catch(() => undefined).finally(() => running.delete(quiet));
    running.add(quiet);
  };
  return {
    begin: (uploadId, userId) => {
      appends.get(uploadId)?.controller.abort('taken over' satisfies CutReason);
      const controller = new AbortController();
      const { promise: ended, resolve } = Promise.withResolvers<void>();
      const append = { userId, controller, ended };
      appends.set(uploadId, append);
      follow(ended);
      if (isStopping) controller.abort('stopping' satisfies CutReason);
      return {
        signal: controller.signal,
        end: () => {
          if (appends.get(uploadId) === append) appends.delete(uploadId);
          resolve();
        },
      };
    },
    cut: async (uploadId, userId, reason) => {
      const append = appends.get(uploadId);
      if (append?.userId !== userId) return;
      append.controller.abort(reason);
      await append.ended;
    },
    finish: (uploadId, work) => {
      const before = finishes.get(uploadId);
      if (before !== undefined) return before;
      const finish = work().finally(() => finishes.delete(uploadId));
      finishes.set(uploadId, finish);
      follow(finish);
      return finish;
    },
    finishing: (uploadId) => finishes.get(uploadId),
    follow,
    stop: () => {
      isStopping = true;
      for (const { controller } of appends.values()) controller.abort('stopping' satisfies CutReason);
    },
    settled: async (milliseconds) => {
      const all = async () => {
        while (running.size > 0) await Promise.all(running);
      };
      const late = () => new Error('uploads are still under way');
      await waitFor(all(), { milliseconds, late }).catch(() => undefined);
    },
  };
}
