// The requests of uploads in several requests that run on this node: a newer one cuts an older one, and all join one finish.
import type { UploadId, UserId } from '../../kernel/ids.ts';
import { waitFor } from '../../kernel/work/deadline.ts';
import type { UploadStep } from './upload-request.ts';

/** Why a running append ends before its body does. */
export type CutReason = 'taken over' | 'asked for' | 'stopping';

export type RunningAppend = {
  /** Aborted with the reason when the append must end. Asked for, and stopping: it keeps what has arrived. */
  readonly signal: AbortSignal;
  /** True if a newer request has answered, or will answer without waiting for this one: it may record nothing any more. */
  isOvertaken(): boolean;
  /** Must be called when the append has ended. */
  end(): void;
};

export type RunningUploads = {
  /** A new append, which came at this time of `performance.now`. It cuts the older ones of the same upload at once. */
  begin(uploadId: UploadId, userId: UserId, arrivedAt: number): RunningAppend;
  /**
   * Cuts the appends of this user to the upload that run here, and those that come before the answer is given: no client can have sent
   * them because of it. Answers when the others have ended, or after this time without them.
   */
  ask<T>(ask: UploadQuestion, answer: () => Promise<T>): Promise<T>;
  /** Runs the work, unless it runs already: then its result is shared. */
  finish(uploadId: UploadId, work: () => Promise<UploadStep>): Promise<UploadStep>;
  /** The finish that runs here. */
  finishing(uploadId: UploadId): Promise<UploadStep> | undefined;
  /** Work that follows an answer, such as the removal of parts. */
  follow(work: Promise<unknown>): void;
  /** Before the service stops: cuts every append, which keeps what has arrived. New ones are cut as soon as they begin. */
  stop(): void;
  /** Resolves when nothing runs any more, or after this time. */
  settled(milliseconds: number): Promise<void>;
};

type UploadQuestion = {
  readonly uploadId: UploadId;
  readonly userId: UserId;
  readonly reason: CutReason;
  readonly milliseconds: number;
};

type Append = { readonly controller: AbortController; readonly ended: Promise<void>; isOvertaken: boolean };

/** The state of one upload while one of its requests is here. */
type Here = { readonly appends: Set<Append>; askers: number };

/** How long an append may take until it knows its upload: for its token, and for the database. */
const longestArrivalMilliseconds = 30_000;

/** `letArrive`: resolves when the requests that the system has received are read. */
export function createRunningUploads(
  letArrive: () => Promise<void> = async () => undefined,
  now = () => performance.now(),
): RunningUploads {
  const here = new Map<string, Here>();
  /** When the last answer about an upload was given, the oldest first. */
  const shownAt = new Map<string, number>();
  const finishes = new Map<string, Promise<UploadStep>>();
  const running = new Set<Promise<unknown>>();
  let isStopping = false;
  const follow = (work: Promise<unknown>) => {
    const quiet = work.catch(() => undefined).finally(() => running.delete(quiet));
    running.add(quiet);
  };
  const enter = (key: string): Here => {
    const known = here.get(key) ?? { appends: new Set(), askers: 0 };
    here.set(key, known);
    return known;
  };
  const leave = (key: string, { appends, askers }: Here) => {
    if (appends.size === 0 && askers === 0) here.delete(key);
  };

  const note = (key: string) => {
    const at = now();
    shownAt.delete(key);
    shownAt.set(key, at);
    for (const [old, time] of shownAt) {
      if (time > at - longestArrivalMilliseconds) break;
      shownAt.delete(old);
    }
  };

  const begin = (key: string, arrivedAt: number): RunningAppend => {
    const upload = enter(key);
    for (const older of upload.appends) overtake(older);
    const controller = new AbortController();
    const { promise: ended, resolve } = Promise.withResolvers<void>();
    const append = { controller, ended, isOvertaken: false };
    upload.appends.add(append);
    follow(ended);
    if (upload.askers > 0 || (shownAt.get(key) ?? Number.NEGATIVE_INFINITY) >= arrivedAt) overtake(append);
    if (isStopping) controller.abort('stopping' satisfies CutReason);
    return {
      signal: controller.signal,
      isOvertaken: () => append.isOvertaken,
      end: () => {
        upload.appends.delete(append);
        leave(key, upload);
        resolve();
      },
    };
  };

  return {
    begin: (uploadId, userId, arrivedAt) => begin(keyOf(uploadId, userId), arrivedAt),
    ask: async ({ uploadId, userId, reason, milliseconds }, answer) => {
      const key = keyOf(uploadId, userId);
      const upload = enter(key);
      upload.askers += 1;
      try {
        const older = [...upload.appends];
        for (const append of older) {
          if (reason === 'taken over') overtake(append);
          else append.controller.abort(reason);
        }
        const late = () => new Error('the older request does not end');
        const ended = Promise.all(older.map((append) => append.ended));
        await waitFor(ended, { milliseconds, late }).catch(() => undefined);
        for (const append of upload.appends) overtake(append);
        const answered = await answer();
        await letArrive();
        return answered;
      } finally {
        note(key);
        upload.askers -= 1;
        leave(key, upload);
      }
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
      for (const { appends } of here.values())
        for (const { controller } of appends) controller.abort('stopping' satisfies CutReason);
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

function keyOf(uploadId: UploadId, userId: UserId): string {
  return `${userId} ${uploadId}`;
}

function overtake(append: Append): void {
  append.isOvertaken = true;
  append.controller.abort('taken over' satisfies CutReason);
}
