// Sends a file in several requests, and goes on by itself after everything that can pass: no connection, a busy service, a pause, a sleep.
import { type GatehouseError, toGatehouseError } from './gatehouse-error.ts';
import { judgeFailure } from './judge-failure.ts';
import { assertReadable } from './mark-file.ts';
import type { Reminder } from './remember-upload.ts';
import { firstSlice, nextSlice, smallerSlice, smallestSlice } from './slice-size.ts';
import type { FileRecord } from './upload-options.ts';
import type { Report } from './upload-report.ts';
import type { UploadRequests } from './upload-requests.ts';
import { type Stop, whilePaused } from './upload-stop.ts';
import { pauseBefore, type WaitFor } from './wait-for.ts';

type Parts = {
  readonly requests: UploadRequests;
  readonly report: Report;
  readonly reminder: Reminder;
  readonly stop: Stop;
  readonly wait: WaitFor;
};

type Upload = {
  readonly file: Blob;
  /** The name of the upload at the service, if it is known from an earlier page. */
  readonly id: string | undefined;
  /** Seconds. */
  readonly patience: number;
};

/** Answers in a row that show trouble which may last. */
const mostTroubles = 5;

export async function resumableUpload(parts: Parts, { file, id: knownId, patience }: Upload): Promise<FileRecord> {
  const { requests, report, reminder, stop, wait } = parts;
  let id = knownId;
  /** Where the upload goes on. Undefined: the service must be asked. */
  let offset: number | undefined;
  /** The most that the service is known to have. */
  let reached = 0;
  /** Where the last request began that broke off. If the service is still there, none of it has arrived. */
  let brokenAt: number | undefined;
  let size = firstSlice;
  let largest = Number.POSITIVE_INFINITY;
  let failures = 0;
  let troubles = 0;
  let waitedMilliseconds = 0;
  let hasRestarted = false;
  let creation: Promise<{ readonly id: string }> | undefined;

  const arrive = (place: number) => {
    offset = place;
    if (place === brokenAt) size = smallerSlice(size);
    brokenAt = undefined;
    if (place > reached) {
      failures = 0;
      troubles = 0;
      waitedMilliseconds = 0;
      reached = place;
    }
    report.progress(place);
    reminder.note({ sentBytes: report.sentBytes });
  };

  const begin = async () => {
    const running = requests.create(file.size);
    creation = running;
    const place = await untilCancelled(stop, running);
    id = place.id;
    reminder.note({ id });
    arrive(place.offset);
  };

  const append = async (at: number, uploadId: string): Promise<FileRecord | undefined> => {
    size = Math.min(size, largest, requests.appendLimit);
    const bytes = file.slice(at, at + size);
    const isLast = at + bytes.size >= file.size;
    report.state(bytes.size === 0 ? 'finishing' : 'sending');
    const began = Date.now();
    const appended = await requests.append({ id: uploadId, offset: at, bytes, isLast }, (sentBytes) => {
      report.progress(at + sentBytes);
      reminder.progress(report.sentBytes);
      if (isLast && sentBytes >= bytes.size) report.state('finishing');
    });
    if ('file' in appended) return appended.file;
    if (bytes.size === size) size = nextSlice(size, Date.now() - began, requests.appendLimit);
    arrive(appended.offset);
    return undefined;
  };

  /** Does the next step. Returns the file after the last one. */
  const step = async (): Promise<FileRecord | undefined> => {
    if (id === undefined) {
      await begin();
      return undefined;
    }
    if (offset !== undefined) return append(offset, id);
    const place = await requests.ask(id);
    if (place.file !== null) return place.file;
    arrive(place.offset);
    return undefined;
  };

  const waitBefore = async (error: GatehouseError) => {
    const milliseconds = pauseBefore(failures, error.retryAfterSeconds);
    failures += 1;
    waitedMilliseconds += milliseconds;
    if (waitedMilliseconds > patience * 1000) throw error;
    if (!(error.code === 'UPLOAD_IN_PROGRESS' && reached >= file.size)) report.state('waiting');
    await wait(milliseconds, stop.onChange);
  };

  /** Returns if the upload can go on. */
  const recover = async (error: GatehouseError): Promise<void> => {
    const at = offset;
    offset = undefined;
    switch (judgeFailure(error, id === undefined)) {
      case 'wait':
        if (at !== undefined && error.status === 0) {
          brokenAt = at;
          await assertReadable(file, at);
        }
        return waitBefore(error);
      case 'some':
        troubles += 1;
        if (troubles === mostTroubles) throw error;
        return waitBefore(error);
      case 'offset':
        troubles += 1;
        if (troubles === mostTroubles) throw error;
        if (requests.serverOffset === undefined || troubles > 1) return waitBefore(error);
        arrive(requests.serverOffset);
        return;
      case 'smaller':
        if (size <= smallestSlice) throw error;
        size = smallerSlice(size);
        largest = size;
        offset = at;
        return;
      case 'again':
        if (hasRestarted) throw error;
        hasRestarted = true;
        id = undefined;
        reached = 0;
        reminder.note({ id });
        return;
      case 'final':
        throw error;
    }
  };

  try {
    report.progress(0);
    if (!stop.isPaused) report.state('sending');
    for (;;) {
      stop.check();
      if (stop.isPaused) await whilePaused(stop, report);
      try {
        const stored = await step();
        if (stored !== undefined) {
          report.progress(file.size);
          await reminder.forget();
          return stored;
        }
      } catch (thrown) {
        stop.check();
        const error = toGatehouseError(thrown);
        // A pause, even a short one that is over already.
        if (error.code === 'ABORTED') offset = undefined;
        else await recover(error);
      }
    }
  } catch (thrown) {
    const error = toGatehouseError(thrown);
    if (stop.isCancelled) {
      if (id !== undefined) requests.cancel(id);
      else
        creation?.then(
          (place) => requests.cancel(place.id),
          () => undefined,
        );
    }
    // What may still succeed later stays remembered: a proxy that refuses may be another one, or none, tomorrow.
    const isRefused = error.code !== 'NETWORK' && error.status >= 400 && error.status < 500 && error.status !== 401;
    const isLasting = stop.isCancelled || isRefused;
    await (isLasting ? reminder.forget() : reminder.close());
    throw error;
  }
}

function untilCancelled<T>(stop: Stop, work: Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    const unfollow = stop.onChange(() => {
      if (stop.isCancelled) reject(toGatehouseError(undefined, true));
    });
    work.then(resolve, reject).finally(unfollow);
  });
}
