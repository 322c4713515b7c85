// The client without the calls about files: who signs in, stays signed in and signs out. Pages that need no files load only this.
import { createAccess } from './access.ts';
import { createAppCalls } from './app-calls.ts';
import { createAskKeeper } from './ask-keeper.ts';
import { createAuthCalls } from './auth-calls.ts';
import { authorisedFetch } from './authorised-fetch.ts';
import { browserUploadMemory } from './browser-upload-memory.ts';
import { type CaptchaWorker, createCaptcha } from './captcha.ts';
import { createDeviceKeeper } from './device-keeper.ts';
import { createEvents } from './events.ts';
import type { GatehouseError } from './gatehouse-error.ts';
import { guardStorage } from './guard-storage.ts';
import { createProofCalls } from './proof-calls.ts';
import { createRunningUploads } from './running-uploads.ts';
import { createSessionKeeper } from './session-keeper.ts';
import { browserStorage, hasBrowserStorage, memoryStorage, type Storage } from './storage.ts';
import { createTabLock } from './tab-lock.ts';
import { createUploadMemory, type UploadMemory } from './upload-memory.ts';
import { createWire } from './wire.ts';
import { withoutSlash } from './without-slash.ts';

export type GatehouseOptions = {
  /** URL of the service. Default in a browser: the origin of the page. Required elsewhere. */
  readonly url?: string | undefined;
  /**
   * `cookie`: the tokens are in cookies that scripts cannot read. This is the default on the service's own origin.
   * `header`: the client stores the tokens. This is the default everywhere else.
   */
  readonly mode?: 'cookie' | 'header' | undefined;
  /** Where header mode stores the tokens. Default: `memoryStorage()`. */
  readonly storage?: Storage | undefined;
  /** Is called when `storage` does not take a value, for example because it is full. The session then lives in memory, and no call fails. */
  readonly onStorageError?: ((error: GatehouseError) => void) | undefined;
  /** Language of the messages, such as `de`. Default: the language of the browser. */
  readonly language?: string | undefined;
  /** Returns a token of Turnstile, hCaptcha or reCAPTCHA, if the service uses one of them. */
  readonly captcha?: ((action: string) => Promise<string>) | undefined;
  /** Starts the worker that solves the service's own captcha, if your bundler does not find it by itself. */
  readonly captchaWorker?: (() => CaptchaWorker) | undefined;
  /** Receives the progress of the service's own captcha, from 0 to 1. It takes longer while the service is under attack. */
  readonly onCaptchaProgress?: ((progress: number) => void) | undefined;
  /** Replaces the global `fetch`, for example in tests. Uploads then report progress at the start and the end only. */
  readonly fetch?: typeof fetch | undefined;
  /** Where uploads that are not complete are remembered. Default: IndexedDB in a browser, otherwise this process. */
  readonly uploadMemory?: UploadMemory | undefined;
};

/** What the calls about files need, beside the other calls. */
export function createCore(options: GatehouseOptions = {}) {
  const base = withoutSlash(options.url ?? '');
  const isCookie = (options.mode ?? (isOwnOrigin(base) ? 'cookie' : 'header')) === 'cookie';
  const isBrowser = typeof document === 'object';
  if (base === '' && !isBrowser) throw new TypeError('createGatehouse needs the url of the service outside a browser');
  const name = `gatehouse:${base}`;
  const isShared = isBrowser && hasBrowserStorage() && (isCookie || options.storage !== undefined);
  const shared = isShared ? name : undefined;
  const ownStorage = isCookie ? (isShared ? browserStorage() : memoryStorage()) : (options.storage ?? memoryStorage());
  const storage = guardStorage(ownStorage, options.onStorageError);

  const wireOptions = { base, isCookie, language: options.language, fetch: options.fetch ?? boundFetch() };
  const wire = createWire(wireOptions);
  const events = createEvents(shared);
  const keeper = createSessionKeeper({ storage, key: name, isCookie, events });
  const asks = createAskKeeper({ storage, key: `${name}:ask`, isCookie });
  const devices = createDeviceKeeper({ storage, key: `${name}:device`, isCookie });
  const lock = createTabLock(shared);
  const access = createAccess({ wire, keeper, devices, lock, isCookie });
  const captcha = createCaptcha({
    wire,
    ask: options.captcha,
    onProgress: options.onCaptchaProgress,
    startWorker:
      options.captchaWorker ?? (() => new Worker(new URL('./captcha-worker.js', import.meta.url), { type: 'module' })),
  });

  const memory = options.uploadMemory ?? browserUploadMemory(`${name}:uploads`) ?? createUploadMemory();
  const onSignOut = (listener: () => void) => events.on('signed-out', listener);
  onSignOut(() => void memory.clear().catch(() => undefined));
  const uploads = {
    access,
    wire: wireOptions,
    mayUseXhr: options.fetch === undefined,
    memory,
    running: createRunningUploads(name),
    currentUser: async () => (await keeper.read())?.user,
    onSignOut,
  };

  const calls = {
    /** The URL of the service, without a slash at the end. Empty: the origin of the page. */
    url: base,
    ...createAuthCalls({ wire, access, captcha, asks, devices, keeper, events, lock }),
    ...createProofCalls({ wire, access, captcha, asks, devices }),
    apps: createAppCalls({ wire, access }),
    /**
     * Returns whether the client has a stored session. Only the service knows whether that session is still valid.
     * @example
     * if (!(await gatehouse.isSignedIn())) location.assign('/login');
     */
    isSignedIn: async (): Promise<boolean> => (await keeper.read()) !== undefined,
    /**
     * Renews the tokens now. The calls do this themselves; use it before the browser sends the cookies on its own, for
     * example for an image.
     * @example
     * await gatehouse.refresh();
     */
    refresh: async (): Promise<void> => access.renew(await keeper.read()),
    /**
     * Fetches from your own API with the access token. Renews the token and retries once after a 401.
     * Never use it for URLs of third parties: in header mode they would get the token.
     * @example
     * const response = await gatehouse.fetch('/api/orders');
     */
    fetch: (input: string | URL | Request, init?: RequestInit): Promise<Response> =>
      authorisedFetch({ access, keeper, wire: wireOptions }, input, init),
    on: events.on,
    /**
     * Starts to solve the captcha of the next `sendCode` or `sendLink`, for example while the user types.
     * @example
     * document.querySelector('input')?.addEventListener('focus', () => gatehouse.prepareCaptcha());
     */
    prepareCaptcha: captcha.prepare,
  };
  return { calls, fileParts: { wire, access, options: wireOptions, uploads } };
}

function isOwnOrigin(base: string): boolean {
  if (typeof document !== 'object') return false;
  return new URL(base || '/', location.href).origin === location.origin;
}

/** Looks up the global at each call, so that a replaced fetch is used. Browsers reject fetch as a method of another object. */
function boundFetch(): typeof fetch {
  return (input, init) => globalThis.fetch(input, init);
}
