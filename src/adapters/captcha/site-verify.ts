// Turnstile, hCaptcha and reCAPTCHA: asks the provider's verify address about a token, and fails closed.
import { randomUUID } from 'node:crypto';
import { isIP } from 'node:net';
import type { Captcha } from '../../abuse/captcha.ts';
import { type Clock, systemClock } from '../../kernel/clock.ts';
import { sha256 } from '../../kernel/digest.ts';
import { Failure } from '../../kernel/failure.ts';

/** The part of a provider URL that is used here: `scheme://SITEKEY:SECRET[?verify=URL&score=0.5&hostname=…&action=…]`. */
export type SiteVerifyUrl = {
  readonly scheme: string;
  readonly id: string;
  readonly secret: string;
  readonly query: Readonly<Record<string, string>>;
};

/** What a success must say besides, where the provider says it at all. */
type Terms = {
  readonly hosts: readonly string[];
  /** Of reCAPTCHA v3, which calls bots a success too. */
  readonly leastScore: number | undefined;
  readonly action: string | undefined;
};

export type SiteVerifyTiming = { readonly clock?: Clock; readonly timeoutMs?: number };

type Answer = { readonly status: number; readonly text: string };

type Verdict = Readonly<Record<string, unknown>>;

const usualScore = '0.5';
const maxTokenLength = 4096;
const maxAnswerBytes = 65_536;
const sweepAfterMs = 600_000;

const verifyAddresses = new Map([
  ['turnstile', 'https://challenges.cloudflare.com/turnstile/v0/siteverify'],
  ['hcaptcha', 'https://api.hcaptcha.com/siteverify'],
  ['recaptcha', 'https://www.google.com/recaptcha/api/siteverify'],
]);

/** Error codes that blame the service or its provider, never the person who sent the token. */
const ownFaults = ['missing-input-secret', 'invalid-input-secret', 'sitekey-secret-mismatch', 'internal-error'];

/** Hosts: where people may have solved it; empty where any will do. */
export function createSiteVerifyCaptcha(
  url: SiteVerifyUrl,
  hosts: readonly string[] = [],
  timing: SiteVerifyTiming = {},
): Captcha {
  const { clock = systemClock, timeoutMs = 3000 } = timing;
  const terms = termsOf(url, hosts);
  const address = new URL(url.query.verify ?? verifyAddresses.get(url.scheme) ?? '');
  return {
    check: async (token, ip) => {
      if (token === '' || token.length > maxTokenLength) throw new Failure('CAPTCHA_INVALID');
      judge(await askTwice(address, writeForm(url, token, ip), timeoutMs), terms);
      return { id: `remote:${sha256(token)}`, sweepAt: clock.now() + sweepAfterMs };
    },
  };
}

function termsOf({ scheme, query }: SiteVerifyUrl, hosts: readonly string[]): Terms {
  return {
    hosts: query.hostname === undefined ? hosts : query.hostname.toLowerCase().split(','),
    leastScore: scheme === 'recaptcha' ? Number(query.score ?? usualScore) : undefined,
    action: query.action,
  };
}

function writeForm({ scheme, id, secret }: SiteVerifyUrl, token: string, ip: string): URLSearchParams {
  const form = new URLSearchParams({ secret, response: token });
  // An IPv6 caller is known by its network only, which is no address.
  if (isIP(ip) !== 0) form.set('remoteip', ip);
  // Without it the provider would call the second question a duplicate.
  if (scheme === 'turnstile') form.set('idempotency_key', randomUUID());
  if (scheme === 'hcaptcha') form.set('sitekey', id);
  return form;
}

async function askTwice(address: URL, form: URLSearchParams, timeoutMs: number): Promise<Answer> {
  const first = await ask(address, form, timeoutMs);
  const answer = first === undefined || first.status >= 500 ? await ask(address, form, timeoutMs) : first;
  if (answer === undefined) throw unavailable('gave no answer in time');
  return answer;
}

/** Undefined when no whole answer came in time. */
async function ask(address: URL, form: URLSearchParams, timeoutMs: number): Promise<Answer | undefined> {
  try {
    const response = await fetch(address, {
      method: 'POST',
      body: form,
      headers: { accept: 'application/json' },
      redirect: 'manual',
      signal: AbortSignal.timeout(timeoutMs),
    });
    return { status: response.status, text: await readStart(response) };
  } catch {
    return undefined;
  }
}

/** What lies beyond the limit is never fetched; an answer cut there is no JSON any more. */
async function readStart(response: Response): Promise<string> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of response.body ?? []) {
    chunks.push(chunk);
    bytes += chunk.length;
    if (bytes > maxAnswerBytes) return '';
  }
  return Buffer.concat(chunks).toString();
}

function judge({ status, text }: Answer, terms: Terms): void {
  const verdict = status === 200 ? parseVerdict(text) : {};
  if (verdict.success === true) {
    if (meets(verdict, terms)) return;
    throw new Failure('CAPTCHA_INVALID');
  }
  if (verdict.success === false && !isOwnFault(verdict['error-codes'])) throw new Failure('CAPTCHA_INVALID');
  throw unavailable(verdict.success === false ? 'refused our key' : `answered ${status}`);
}

/** Apps, and people who are shy of it, have no host; only v3 of reCAPTCHA has a score. */
function meets({ hostname, score, action }: Verdict, terms: Terms): boolean {
  const isHostTold = hostname !== undefined && hostname !== '' && hostname !== 'not-provided';
  const isOurs = typeof hostname === 'string' && terms.hosts.includes(hostname.toLowerCase());
  const isHostRight = !isHostTold || terms.hosts.length === 0 || isOurs;
  const isHuman =
    score === undefined || terms.leastScore === undefined || (typeof score === 'number' && score >= terms.leastScore);
  return isHostRight && isHuman && (terms.action === undefined || action === terms.action);
}

function parseVerdict(text: string): Verdict {
  try {
    const verdict: unknown = JSON.parse(text);
    return typeof verdict === 'object' && verdict !== null ? { ...verdict } : {};
  } catch {
    return {};
  }
}

function isOwnFault(codes: unknown): boolean {
  return Array.isArray(codes) && codes.some((code) => ownFaults.includes(code));
}

function unavailable(what: string): Failure {
  const cause = new Error(`the captcha provider ${what}`);
  return new Failure('CAPTCHA_UNAVAILABLE', { retryAfterSeconds: 5 }, cause);
}
