// Keeps variants: finds a stored one, or has it made on first use. Callers who want the same one wait together.
import { Failure } from '../../kernel/failure.ts';
import { createRateLimitedWarnings, type RateLimitedWarnings } from '../../kernel/work/rate-limited-warnings.ts';
import type { FileDeps } from '../deps.ts';
import { createByteCache } from '../storage/byte-cache.ts';
import { removeBytes } from '../sweeps/remove-bytes.ts';
import { isWholeVariant } from './kept-variant.ts';
import { storedNameOf, type VariantSource } from './variant.ts';
import type { VariantParties } from './variant-maker.ts';

type Deps = Pick<FileDeps, 'blobs' | 'files' | 'removals' | 'variantMaker' | 'clock' | 'log'>;

export type Variants = {
  /** Undefined if there is none and none can be made. Pictures of different users are made in turn. Throws SERVICE_UNAVAILABLE and storage errors. */
  get(source: VariantSource, caller: string, signal: AbortSignal): Promise<Buffer | undefined>;
};

/** One variant that is being read or made, and how many callers wait for it. */
type Flight = { readonly result: Promise<Buffer | undefined>; readonly abandon: AbortController; callers: number };

const cacheBytes = 8 * 1024 * 1024;
/** Pictures that failed are not tried again for this time. Each takes about a hundred bytes of memory. */
const failureMilliseconds = 3_600_000;
const mostFailures = 10_000;
/** A full disk refuses every variant. */
const warnEveryMilliseconds = 10_000;

export function createVariants(deps: Deps): Variants {
  const cache = createByteCache(cacheBytes);
  const warn = createRateLimitedWarnings(deps.log, warnEveryMilliseconds);
  const failures = createFailures(deps);
  const flights = new Map<string, Flight>();

  async function findOrMake(source: VariantSource, key: string, caller: string, signal: AbortSignal) {
    const { file, variant, maxPixels } = source;
    const stored = await deps.blobs.readVariant(file.id, storedNameOf(variant));
    if (stored !== undefined && isWholeVariant[variant.format](stored)) {
      cache.keep(key, stored);
      return stored;
    }
    if (failures.has(key)) return undefined;
    const open = async () => {
      // A picture may wait long for its turn. The bytes of a deleted one would look lost.
      if ((await deps.files.findFile({ id: file.id, now: deps.clock.now() })) === undefined)
        throw new Failure('FILE_NOT_FOUND');
      return deps.blobs.openLocally(file.id, file.size);
    };
    const pixels = (file.width ?? 0) * (file.height ?? 0) || maxPixels;
    const made = await deps.variantMaker.make(
      partiesOf(source, caller),
      { ...variant, maxPixels, pixels },
      open,
      signal,
    );
    if (made === undefined) failures.note(key);
    else {
      cache.keep(key, made);
      await keep(deps, source, made, warn);
    }
    return made;
  }

  function board(source: VariantSource, key: string, caller: string): Flight {
    const current = flights.get(key);
    if (current !== undefined) {
      deps.variantMaker.join(partiesOf(source, caller), current.abandon.signal);
      return current;
    }
    const abandon = new AbortController();
    const result = findOrMake(source, key, caller, abandon.signal).finally(() => flights.delete(key));
    // If all callers have left, no one else receives the error.
    result.catch(() => undefined);
    const flight = { result, abandon, callers: 0 };
    flights.set(key, flight);
    return flight;
  }

  return {
    get: async (source, caller, signal) => {
      const key = `${source.file.id}/${storedNameOf(source.variant)}`;
      const cached = cache.get(key);
      if (cached !== undefined) return cached;
      const flight = board(source, key, caller);
      flight.callers += 1;
      try {
        return await untilAborted(flight.result, signal);
      } finally {
        flight.callers -= 1;
        if (flight.callers === 0) flight.abandon.abort();
      }
    },
  };
}

function partiesOf({ file }: VariantSource, caller: string): VariantParties {
  return { owner: file.userId, caller };
}

/** The picture in hand is served even if it cannot be stored. A file that was deleted meanwhile must not keep a variant. */
async function keep(
  deps: Deps,
  { file, variant }: VariantSource,
  bytes: Buffer,
  warn: RateLimitedWarnings,
): Promise<void> {
  const { blobs, files } = deps;
  try {
    await blobs.keepVariant(file.id, storedNameOf(variant), bytes);
    if ((await files.findRecord(file.id)) === undefined) await removeBytes(deps, [file.id]);
  } catch (error) {
    const kind = error instanceof Failure ? error.code : 'unknown';
    warn(kind, 'a variant cannot be stored', { file: file.id, error });
  }
}

function untilAborted<T>(result: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const onAbort = () => reject(new Failure('SERVICE_UNAVAILABLE', { retryAfterSeconds: 1 }));
    if (signal.aborted) return onAbort();
    signal.addEventListener('abort', onAbort, { once: true });
    return result.then(resolve, reject).finally(() => signal.removeEventListener('abort', onAbort));
  });
}

/** In memory only: after an update of the picture library, a restart tries them again. */
function createFailures({ clock }: Pick<Deps, 'clock'>) {
  const until = new Map<string, number>();
  return {
    has: (key: string) => (until.get(key) ?? 0) > clock.now(),
    note: (key: string) => {
      until.delete(key);
      until.set(key, clock.now() + failureMilliseconds);
      const [oldest] = until.keys();
      if (until.size > mostFailures && oldest !== undefined) until.delete(oldest);
    },
  };
}
