// The entry point of the package: signs users in, keeps them signed in, and uploads and lists their files.
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
  /** URL of the service. Default in a browser: the origin of the page. Required elsewhere. */
  readonly url?: string | undefined;
  /**
   * `cookie`: the tokens are in cookies that scripts cannot read. This is the default on the service's own origin.
   * `header`: the client stores the tokens. This is the default everywhere else.
   */
  readonly mode?: 'cookie' | 'header' | undefined;
  /** Where header mode stores the tokens. Default: `memoryStorage()`. */
  readonly storage?: Storage | undefined;
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
};

export type Gatehouse = ReturnType<typeof createGatehouse>;

/**
 * Creates the client. Create it once per app. It renews the tokens when needed, in all tabs together.
 * @example
 * import { createGatehouse } from '@gatehouse/client';
 *
 * const gatehouse = createGatehouse({ url: 'https://id.example.com' });
 * await gatehouse.phone.sendCode('+12025550123');
 */
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
}

function isOwnOrigin(base: string): boolean {
  if (typeof document !== 'object') return false;
  return new URL(base || '/', location.href).origin === location.origin;
}

/** Looks up the global at each call, so that a replaced fetch is used. Browsers reject fetch as a method of another object. */
function boundFetch(): typeof fetch {
  return (input, init) => globalThis.fetch(input, init);
}
