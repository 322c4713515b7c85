// The client: signs people in, keeps them signed in, uploads and shows their files. The door of the package.
import { createAccess } from './access.ts';
import { createAskKeeper } from './ask-keeper.ts';
import { createAuthCalls } from './auth-calls.ts';
import { authorisedFetch } from './authorised-fetch.ts';
import { type CaptchaWorker, createCaptcha } from './captcha.ts';
import { createEvents, type SignOutReason } from './events.ts';
import { createFileCalls } from './file-calls.ts';
import { type FileFault, findFault, type Purpose } from './find-fault.ts';
import { type ErrorCode, GatehouseError } from './gatehouse-error.ts';
import { createSessionKeeper } from './session-keeper.ts';
import { browserStorage, hasBrowserStorage, memoryStorage, type Storage } from './storage.ts';
import { createTabLock } from './tab-lock.ts';
import type { FileRecord, Progress, UploadOptions } from './upload-file.ts';
import { createWire } from './wire.ts';
import { withoutSlash } from './without-slash.ts';

export type { ErrorCode, FileFault, FileRecord, Progress, Purpose, SignOutReason, Storage, UploadOptions };
export { browserStorage, findFault, GatehouseError, memoryStorage };

export type GatehouseOptions = {
  /** Address of the service; the page's own origin when left out. */
  readonly url?: string | undefined;
  /** `cookie`: tokens that no script can read, the default on the service's own origin. `header`: the client keeps them. */
  readonly mode?: 'cookie' | 'header' | undefined;
  /** Where header mode keeps its tokens; in memory when left out. */
  readonly storage?: Storage | undefined;
  /** Of the messages; the browser's when left out. */
  readonly language?: string | undefined;
  /** Gives the token of Turnstile, hCaptcha or reCAPTCHA, where the service is set up for one of them. */
  readonly captcha?: ((action: string) => Promise<string>) | undefined;
  /** Starts the worker that solves the service's own captcha, where the bundler puts it elsewhere. */
  readonly captchaWorker?: (() => CaptchaWorker) | undefined;
  /** Told how far the service's own captcha is solved, from 0 to 1: it takes longer while the service is under attack. */
  readonly onCaptchaProgress?: ((share: number) => void) | undefined;
  readonly fetch?: typeof fetch | undefined;
};

export type Gatehouse = ReturnType<typeof createGatehouse>;

export function createGatehouse(options: GatehouseOptions = {}) {
  const base = withoutSlash(options.url ?? '');
  const isCookie = (options.mode ?? (isOwnOrigin(base) ? 'cookie' : 'header')) === 'cookie';
  const isBrowser = typeof document === 'object';
  if (base === '' && !isBrowser) throw new TypeError('createGatehouse needs the url of the service outside a browser');
  const name = `gatehouse:${base}`;
  const isShared = isBrowser && hasBrowserStorage() && (isCookie || options.storage !== undefined);
  const shared = isShared ? name : undefined;
  const storage = isCookie ? (isShared ? browserStorage() : memoryStorage()) : (options.storage ?? memoryStorage());

  const wireOptions = { base, isCookie, language: options.language, fetch: options.fetch ?? boundFetch() };
  const wire = createWire(wireOptions);
  const events = createEvents(shared);
  const keeper = createSessionKeeper({ storage, key: name, isCookie, events });
  const asks = createAskKeeper({ storage, key: `${name}:ask`, isCookie });
  const lock = createTabLock(shared);
  const access = createAccess({ wire, keeper, lock, isCookie });
  const captcha = createCaptcha({
    wire,
    ask: options.captcha,
    onProgress: options.onCaptchaProgress,
    startWorker:
      options.captchaWorker ?? (() => new Worker(new URL('./captcha-worker.js', import.meta.url), { type: 'module' })),
  });

  return {
    ...createAuthCalls({ wire, access, captcha, asks, keeper, events, lock }),
    files: createFileCalls({ wire, access, options: wireOptions, mayUseXhr: options.fetch === undefined }),
    /** Whether a session is remembered here; only the service knows whether it still lives. */
    isSignedIn: async (): Promise<boolean> => (await keeper.read()) !== undefined,
    /** Renews the tokens now; needed by hand only before something that sends them by itself, such as an image. */
    refresh: async (): Promise<void> => access.renew(await keeper.read()),
    /** The app's own API with the access token. Never for addresses of others: in header mode they would get the token. */
    fetch: (input: string | URL | Request, init?: RequestInit): Promise<Response> =>
      authorisedFetch({ access, keeper, wire: wireOptions }, input, init),
    /** Gives what stops listening. */
    on: events.on,
    /** Starts solving the captcha of the next send, for instance while a person types. */
    prepareCaptcha: captcha.prepare,
  };
}

function isOwnOrigin(base: string): boolean {
  if (typeof document !== 'object') return false;
  return new URL(base || '/', location.href).origin === location.origin;
}

/** Looked up at each call, so that whoever replaces it is heard; and browsers refuse it as a method of something else. */
function boundFetch(): typeof fetch {
  return (input, init) => globalThis.fetch(input, init);
}
