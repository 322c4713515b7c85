// Provides tokens for the captcha-token header. It can solve one ahead of time; each token is used once.
import { GatehouseError, toGatehouseError } from './gatehouse-error.ts';
import { type Challenge, type ReportProgress, solveChallenge } from './solve-challenge.ts';
import type { Wire } from './wire.ts';

export type Captcha = {
  /** Starts solving, so that the next call does not have to wait. */
  prepare(): void;
  /** Runs a call with a token. If the service refuses the token, solves a new one and runs the call once more. */
  run<T>(action: string, call: (headers: Record<string, string>) => Promise<T>): Promise<T>;
};

/** The part of `Worker` that the client uses. With it, the package compiles without the browser types. */
export type CaptchaWorker = {
  onmessage: ((event: never) => unknown) | null;
  onerror: ((event: never) => unknown) | null;
  postMessage(message: unknown): void;
  terminate(): void;
};

type Parts = {
  readonly wire: Wire;
  /** Returns a token from a captcha provider's widget, instead of the service's own challenge. */
  readonly ask: ((action: string) => Promise<string>) | undefined;
  readonly startWorker: () => CaptchaWorker;
  readonly onProgress: ((progress: number) => void) | undefined;
};

/** Less than the two minutes for which the service accepts a solution. */
const maxAgeMilliseconds = 100_000;
/** If the service has no challenge of its own (local mode), it accepts any text. */
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
    if (ask !== undefined || (prepared !== undefined && Date.now() - prepared.since < maxAgeMilliseconds)) return;
    prepared = { token: make(), since: Date.now() };
    // The token may never be used. If it is used, `take` handles the failure.
    prepared.token.catch(() => undefined);
  };
  const take = async (): Promise<string> => {
    const ready = prepared;
    prepared = undefined;
    if (ready === undefined || Date.now() - ready.since >= maxAgeMilliseconds) return make();
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

/** Solves in a worker. If no worker can be started, solves on the calling thread. */
async function solve(challenge: Challenge, startWorker: () => CaptchaWorker, report: ReportProgress) {
  if (typeof crypto !== 'object' || crypto.subtle === undefined) {
    const message = 'The captcha requires WebCrypto, which browsers provide only on https and localhost.';
    throw new GatehouseError({ code: 'CAPTCHA_UNAVAILABLE', message });
  }
  return (
    (typeof Worker === 'function' ? await solveInWorker(challenge, startWorker, report) : undefined) ??
    solveChallenge(challenge, report)
  );
}

function solveInWorker(
  challenge: Challenge,
  startWorker: () => CaptchaWorker,
  report: ReportProgress,
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
      data.share === undefined ? finish(data.token) : report(data.share);
    worker.onerror = () => finish();
    worker.postMessage(challenge);
  });
}
