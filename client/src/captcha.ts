// Tokens for the header captcha-token: solved ahead while a person types, used once, thrown away when they grow old.
import { GatehouseError, toGatehouseError } from './gatehouse-error.ts';
import { type Challenge, solveChallenge, type Tell } from './solve-challenge.ts';
import type { Wire } from './wire.ts';

export type Captcha = {
  /** Starts solving, so that the next call need not wait. */
  prepare(): void;
  /** Runs a call with a token, and once more with a new one if ours was refused. */
  run<T>(action: string, call: (headers: Record<string, string>) => Promise<T>): Promise<T>;
};

/** As much of a Worker as is needed here, so that the types of browsers are not. */
export type CaptchaWorker = {
  onmessage: ((event: never) => unknown) | null;
  onerror: ((event: never) => unknown) | null;
  postMessage(message: unknown): void;
  terminate(): void;
};

type Parts = {
  readonly wire: Wire;
  /** A provider's widget instead of the service's own challenge. */
  readonly ask: ((action: string) => Promise<string>) | undefined;
  readonly startWorker: () => CaptchaWorker;
  readonly onProgress: ((share: number) => void) | undefined;
};

/** Below the two minutes that the service gives a challenge. */
const oldestMilliseconds = 100_000;
/** Where the service asks for no captcha of its own, any text passes. */
const openToken = 'open';

export function createCaptcha({ wire, ask, startWorker, onProgress = () => undefined }: Parts): Captcha {
  let prepared: { readonly token: Promise<string>; readonly since: number } | undefined;

  const make = async (): Promise<string> => {
    const challenge = await wire('captchaChallenge').catch((error: unknown) => {
      if (toGatehouseError(error).status === 404) return undefined;
      throw error;
    });
    return challenge === undefined ? openToken : solve(challenge as Challenge, startWorker, onProgress);
  };
  const prepare = () => {
    if (ask !== undefined || (prepared !== undefined && Date.now() - prepared.since < oldestMilliseconds)) return;
    prepared = { token: make(), since: Date.now() };
    // Nobody may ever ask for it; who does, hears of the failure.
    prepared.token.catch(() => undefined);
  };
  const take = async (): Promise<string> => {
    const ready = prepared;
    prepared = undefined;
    if (ready === undefined || Date.now() - ready.since >= oldestMilliseconds) return make();
    return ready.token.catch(make);
  };

  return {
    prepare,
    run: async (action, call) => {
      if (ask !== undefined) return call({ 'captcha-token': await ask(action) });
      const token = await take();
      try {
        return await call({ 'captcha-token': token });
      } catch (error) {
        if (token === openToken || toGatehouseError(error).code !== 'CAPTCHA_INVALID') throw error;
        return call({ 'captcha-token': await make() });
      }
    },
  };
}

/** In a worker where there is one and it starts; else here. */
async function solve(challenge: Challenge, startWorker: () => CaptchaWorker, tell: Tell): Promise<string> {
  if (typeof crypto !== 'object' || crypto.subtle === undefined) {
    const message = 'The captcha needs WebCrypto, which a page has on https and on localhost only.';
    throw new GatehouseError({ code: 'CAPTCHA_UNAVAILABLE', message });
  }
  return (
    (typeof Worker === 'function' ? await solveInWorker(challenge, startWorker, tell) : undefined) ??
    solveChallenge(challenge, tell)
  );
}

function solveInWorker(
  challenge: Challenge,
  startWorker: () => CaptchaWorker,
  tell: Tell,
): Promise<string | undefined> {
  return new Promise((resolve) => {
    let worker: CaptchaWorker;
    const finish = (token?: string) => {
      worker.terminate();
      resolve(token);
    };
    try {
      worker = startWorker();
    } catch {
      return resolve(undefined);
    }
    worker.onmessage = ({ data }: MessageEvent<{ token?: string; share?: number }>) =>
      data.share === undefined ? finish(data.token) : tell(data.share);
    worker.onerror = () => finish();
    worker.postMessage(challenge);
  });
}
