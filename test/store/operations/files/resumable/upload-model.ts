// A model of uploads in several requests with one Idempotency-Key: what each call must answer, in a few lines without a database.

type Modelled = {
  readonly id: string;
  length: number | undefined;
  received: number;
  writer: string | undefined;
  finisher: string | undefined;
  finishUntil: number;
  expiresAt: number;
  hasEnded: boolean;
  file: string | undefined;
};

/** The upload waits so long for its next byte. */
export const lifeMilliseconds = 3_600_000;
export const leaseMilliseconds = 60_000;

export function createUploadModel() {
  const uploads = new Map<string, Modelled>();
  /** The file that fulfilled the key. */
  let file: string | undefined;

  const stateOf = (id: string, now: number) => {
    const upload = uploads.get(id);
    if (upload === undefined) return 'unknown';
    if (upload.file !== undefined) return 'stored';
    if (upload.hasEnded || upload.expiresAt <= now) return 'expired';
    return upload.finisher !== undefined && upload.finishUntil > now ? 'finishing' : 'open';
  };
  /** The upload if it is open. If it is found expired, it has ended. */
  const enter = (id: string, now: number) => {
    const upload = uploads.get(id);
    const state = stateOf(id, now);
    if (upload !== undefined && state === 'expired') upload.hasEnded = true;
    return { state, upload: state === 'open' ? upload : undefined };
  };
  const isLive = (id: string, now: number) => ['open', 'finishing'].includes(stateOf(id, now));

  return {
    stateOf,
    isLive,
    find: (id: string) => uploads.get(id),
    ids: () => [...uploads.keys()],
    file: () => file,
    reserved: (now: number) =>
      [...uploads.values()]
        .filter(({ id }) => isLive(id, now))
        .reduce((sum, { length = 0, received }) => sum + Math.max(length, received), 0),

    create(id: string, length: number | undefined, writer: string, now: number): string {
      const live = [...uploads.values()].find((upload) => isLive(upload.id, now));
      if (live !== undefined && stateOf(live.id, now) === 'finishing') return 'in progress';
      if (live !== undefined) {
        Object.assign(live, { writer, finisher: undefined });
        return 'open';
      }
      const empty = { received: 0, finisher: undefined, finishUntil: 0, hasEnded: false, file: undefined };
      uploads.set(id, { id, length, writer, expiresAt: now + lifeMilliseconds, ...empty });
      return 'created';
    },
    take(id: string, writer: string | undefined, offset: number | undefined, now: number): string {
      const { state, upload } = enter(id, now);
      if (upload === undefined) return state;
      const isThere = offset === undefined || offset === upload.received;
      Object.assign(upload, { writer: isThere ? writer : undefined, finisher: undefined });
      return isThere ? 'taken' : 'wrong offset';
    },
    advance(id: string, writer: string, received: number, now: number): string {
      const upload = uploads.get(id);
      if (upload === undefined || stateOf(id, now) !== 'open' || upload.writer !== writer) return 'lost';
      if (received > upload.received) upload.expiresAt = now + lifeMilliseconds;
      upload.received = received;
      return 'advanced';
    },
    begin(id: string, finisher: string, length: number, now: number): string {
      const { state, upload } = enter(id, now);
      if (upload === undefined) return state;
      if (upload.received !== length) return 'wrong offset';
      const finishUntil = now + leaseMilliseconds;
      const expiresAt = Math.max(upload.expiresAt, finishUntil);
      Object.assign(upload, { length, writer: undefined, finisher, finishUntil, expiresAt });
      return 'begun';
    },
    hold(id: string, finisher: string, finishUntil: number): boolean {
      const upload = uploads.get(id);
      if (upload === undefined || upload.hasEnded || upload.finisher !== finisher) return false;
      Object.assign(upload, { finishUntil, expiresAt: Math.max(upload.expiresAt, finishUntil) });
      return true;
    },
    leave(id: string, finisher: string): void {
      const upload = uploads.get(id);
      if (upload?.finisher === finisher) upload.finisher = undefined;
    },
    cancel(id: string, holder: string | undefined, now: number): string {
      const { state } = enter(id, now);
      const upload = uploads.get(id);
      if (upload === undefined || state === 'unknown' || state === 'expired' || state === 'stored') return state;
      if (holder === undefined && state === 'finishing') return 'finishing';
      if (holder !== undefined && holder !== upload.writer && holder !== upload.finisher) return 'lost';
      uploads.delete(id);
      return 'cancelled';
    },
    /** All settlements have the same bytes and the same key, so there is never a second file. */
    settle(id: string, fileId: string, now: number): string {
      const upload = uploads.get(id);
      const state = stateOf(id, now);
      if (upload === undefined || state === 'unknown' || state === 'expired') return 'ended';
      if (state === 'stored') return 'stored before';
      const outcome = file === undefined ? 'stored' : 'known';
      file ??= fileId;
      Object.assign(upload, { file, hasEnded: true, writer: undefined, finisher: undefined });
      return outcome;
    },
    /** The sweep has listed it. */
    end(id: string): void {
      const upload = uploads.get(id);
      if (upload !== undefined) Object.assign(upload, { hasEnded: true, writer: undefined, finisher: undefined });
    },
    forget: (id: string) => void uploads.delete(id),
  };
}
