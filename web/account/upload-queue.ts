// The queue of uploads as a state machine: which file waits, runs, stands still or is done, and which may start now. It does nothing itself.

export type UploadState =
  /** It starts by itself as soon as there is room. */
  | 'waiting'
  | 'sending'
  /** All bytes are sent; the service checks and stores them. */
  | 'checking'
  | 'paused'
  /** After a reload: the browser no longer has the bytes. */
  | 'missing'
  | 'stored'
  /** It can be tried again. */
  | 'failed'
  /** Something is wrong with the file, or with its purpose. */
  | 'refused'
  | 'cancelled';

export type Upload = {
  /** Also its Idempotency-Key, so it is stored once however often it is sent. */
  readonly key: string;
  readonly name: string;
  readonly size: number;
  readonly type: string;
  readonly purpose: string;
  readonly state: UploadState;
  /** Never less than was shown before. */
  readonly sentBytes: number;
  readonly bytesPerSecond: number;
  /** Whether it goes on by itself after a reload. */
  readonly isKept: boolean;
  /** Whether a click is enough to read a missing file again: the browser asks for the permission. */
  readonly needsPermission: boolean;
  /** How often the service could not take it. */
  readonly faults: number;
  readonly message: string | undefined;
};

export type UploadQueue = {
  /** In the order in which they were added. */
  readonly uploads: readonly Upload[];
  /** What the browser says about the network. */
  readonly isOnline: boolean;
  /** How many attempts in a row did not reach the service. */
  readonly lostAttempts: number;
  /** Nothing starts before this time. */
  readonly startsAt: number;
  /** How many uploads the last finished round had: for the announcement. */
  readonly justStored: number;
};

export type QueueEvent =
  | { readonly kind: 'added'; readonly uploads: readonly Upload[] }
  | { readonly kind: 'started' | 'kept' | 'stored' | 'paused' | 'resumed' | 'cancelled'; readonly key: string }
  | { readonly kind: 'retried' | 'dismissed' | 'found'; readonly key: string }
  | {
      readonly kind: 'progressed';
      readonly key: string;
      readonly sentBytes: number;
      readonly bytesPerSecond: number;
    }
  /** The service was not reached. */
  | { readonly kind: 'lost'; readonly key: string; readonly now: number }
  /** It runs, but waits for a connection or for the service. */
  | { readonly kind: 'stalled'; readonly key: string; readonly message: string }
  /** The service asks to wait. */
  | { readonly kind: 'postponed'; readonly key: string; readonly until: number }
  /** The service could not take it, but may be able to soon. */
  | { readonly kind: 'stumbled'; readonly key: string; readonly now: number; readonly message: string }
  | { readonly kind: 'refused' | 'failed'; readonly key: string; readonly message: string }
  /** The file cannot be read any more. With a message if the user has chosen another file. */
  | { readonly kind: 'gone'; readonly key: string; readonly message?: string }
  /** The user chose another purpose: it is a new upload. */
  | { readonly kind: 'moved'; readonly key: string; readonly newKey: string; readonly purpose: string }
  | { readonly kind: 'finished-removed' | 'connected' | 'disconnected' };

export const emptyQueue: UploadQueue = {
  uploads: [],
  isOnline: true,
  lostAttempts: 0,
  startsAt: 0,
  justStored: 0,
};

export const mostParallel = 3;
const mostFaults = 5;
const firstPause = 1000;
const longestPause = 30_000;

export function newUpload(file: Pick<Upload, 'key' | 'name' | 'size' | 'type' | 'purpose'>): Upload {
  const nothingYet = {
    sentBytes: 0,
    bytesPerSecond: 0,
    isKept: false,
    needsPermission: false,
    faults: 0,
    message: undefined,
  };
  return { ...file, ...nothingYet, state: 'waiting' };
}

export const isRunning = ({ state }: Upload): boolean => state === 'sending' || state === 'checking';

/** Goes on by itself, now or later. */
export const isActive = (upload: Upload): boolean =>
  isRunning(upload) || upload.state === 'waiting' || upload.state === 'paused';

const isFinished = ({ state }: Upload): boolean => state === 'stored' || state === 'refused' || state === 'cancelled';

/** The uploads that may start now, oldest first. */
export function findStartable({ uploads, isOnline, startsAt }: UploadQueue, now: number): readonly Upload[] {
  if (!isOnline || now < startsAt) return [];
  const room = mostParallel - uploads.filter(isRunning).length;
  return room <= 0 ? [] : uploads.filter(({ state }) => state === 'waiting').slice(0, room);
}

/** Whether leaving the page would lose an upload: it is under way, and the browser does not keep its bytes. */
export function wouldLose({ uploads }: UploadQueue): boolean {
  return uploads.some((upload) => isActive(upload) && !upload.isKept);
}

export type Overview = {
  readonly total: number;
  readonly stored: number;
  readonly failed: number;
  readonly finished: number;
  /** Of all bytes, from 0 to 1. */
  readonly share: number;
};

/** Refused and cancelled files do not count: nobody waits for them. */
export function overlook({ uploads }: UploadQueue): Overview {
  const counted = uploads.filter(({ state }) => state !== 'refused' && state !== 'cancelled');
  const stored = counted.filter(({ state }) => state === 'stored');
  const bytes = counted.reduce((sum, { size }) => sum + size, 0);
  const sent = counted.reduce((sum, { state, size, sentBytes }) => sum + (state === 'stored' ? size : sentBytes), 0);
  return {
    total: counted.length,
    stored: stored.length,
    failed: counted.filter(({ state }) => state === 'failed').length,
    finished: uploads.filter(isFinished).length,
    share: bytes === 0 ? 0 : sent / bytes,
  };
}

/** What needs the user first. A stored file has its tile, and only counts. A row moves only when its buttons change too. */
export function orderForShow({ uploads }: UploadQueue): readonly Upload[] {
  const shown = uploads.filter(({ state }) => state !== 'stored');
  return [...shown.filter((upload) => !isActive(upload)), ...shown.filter(isActive)];
}

export function advance(queue: UploadQueue, event: QueueEvent): UploadQueue {
  if (comesFromAttempt(event) && !queue.uploads.some((upload) => upload.key === event.key && isRunning(upload)))
    return queue;
  switch (event.kind) {
    case 'added':
      return { ...queue, uploads: [...queue.uploads, ...event.uploads], justStored: 0 };
    case 'started':
      return change(queue, event.key, { state: 'sending', bytesPerSecond: 0, message: undefined });
    case 'kept':
      return change(queue, event.key, { isKept: true });
    case 'progressed':
      return { ...progress(queue, event), lostAttempts: 0 };
    case 'stalled':
      return change(queue, event.key, { bytesPerSecond: 0, message: event.message });
    case 'stored':
      return settle({ ...change(queue, event.key, { state: 'stored' }), lostAttempts: 0 });
    case 'paused':
      return change(queue, event.key, { state: 'paused', bytesPerSecond: 0 });
    case 'resumed':
    case 'found':
      return change(queue, event.key, { state: 'waiting', message: undefined });
    case 'cancelled':
      return settle(change(queue, event.key, { state: 'cancelled', sentBytes: 0, isKept: false }));
    case 'retried':
      return { ...change(queue, event.key, again), startsAt: 0 };
    case 'dismissed':
      return settle({ ...queue, uploads: queue.uploads.filter(({ key }) => key !== event.key) });
    case 'finished-removed':
      return { ...queue, uploads: queue.uploads.filter((upload) => !isFinished(upload)) };
    case 'lost':
      return lose(queue, event.key, event.now);
    case 'postponed':
      return { ...change(queue, event.key, { state: 'waiting' }), startsAt: Math.max(queue.startsAt, event.until) };
    case 'stumbled':
      return stumble(queue, event);
    case 'refused':
    case 'failed':
      return change(queue, event.key, { state: event.kind, message: event.message });
    case 'gone':
      return change(queue, event.key, { state: 'missing', message: event.message });
    case 'moved':
      return change(queue, event.key, { ...again, key: event.newKey, purpose: event.purpose, sentBytes: 0 });
    case 'connected':
      return { ...queue, isOnline: true, lostAttempts: 0, startsAt: 0 };
    case 'disconnected':
      return { ...queue, isOnline: false };
  }
}

type AttemptEvent = Extract<
  QueueEvent,
  { kind: 'progressed' | 'stalled' | 'lost' | 'postponed' | 'stumbled' | 'refused' | 'failed' }
>;

/** What an attempt reports after the user paused, cancelled or dismissed it changes nothing. A stored file is stored all the same. */
function comesFromAttempt(event: QueueEvent): event is AttemptEvent {
  return ['progressed', 'stalled', 'lost', 'postponed', 'stumbled', 'refused', 'failed'].includes(event.kind);
}

const again = { state: 'waiting', faults: 0, message: undefined } as const;

function change(queue: UploadQueue, key: string, changes: Partial<Upload>): UploadQueue {
  return {
    ...queue,
    uploads: queue.uploads.map((upload) => (upload.key === key ? { ...upload, ...changes } : upload)),
  };
}

function progress(
  queue: UploadQueue,
  { key, sentBytes, bytesPerSecond }: Extract<QueueEvent, { kind: 'progressed' }>,
): UploadQueue {
  const upload = queue.uploads.find((one) => one.key === key);
  if (upload === undefined) return queue;
  const shown = Math.max(upload.sentBytes, Math.min(sentBytes, upload.size));
  const state = sentBytes < upload.size ? 'sending' : 'checking';
  return change(queue, key, { state, sentBytes: shown, bytesPerSecond, message: undefined });
}

/** A whole round without a leftover needs no list any more: the files stand below. */
function settle(queue: UploadQueue): UploadQueue {
  const isRoundOver = queue.uploads.length > 0 && queue.uploads.every(({ state }) => state === 'stored');
  return isRoundOver ? { ...queue, uploads: [], justStored: queue.uploads.length } : queue;
}

function lose(queue: UploadQueue, key: string, now: number): UploadQueue {
  const lostAttempts = queue.lostAttempts + 1;
  return { ...change(queue, key, { state: 'waiting' }), lostAttempts, startsAt: now + pauseAfter(lostAttempts) };
}

function stumble(queue: UploadQueue, { key, now, message }: Extract<QueueEvent, { kind: 'stumbled' }>): UploadQueue {
  const faults = (queue.uploads.find((upload) => upload.key === key)?.faults ?? 0) + 1;
  if (faults >= mostFaults) return change(queue, key, { state: 'failed', faults, message });
  return { ...change(queue, key, { state: 'waiting', faults }), startsAt: now + pauseAfter(faults) };
}

function pauseAfter(attempts: number): number {
  return Math.min(longestPause, firstPause * 2 ** (attempts - 1));
}
