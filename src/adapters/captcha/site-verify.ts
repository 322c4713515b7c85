// Verifies tokens of Turnstile, hCaptcha and reCAPTCHA at the provider's verify URL. Refuses tokens if the provider fails.
import { isIP } from 'node:net';
import type { Captcha } from '../../abuse/captcha.ts';
import type { CaptchaParts } from '../../abuse/captcha-provider.ts';
import { sha256 } from '../../kernel/crypto/digest.ts';
import { Failure } from '../../kernel/failure.ts';
import type { ProviderUrl } from '../../kernel/net/provider-url.ts';
import { waitFor } from '../../kernel/work/deadline.ts';
import { createTurns } from '../../kernel/work/turns.ts';

/** The differences between these providers. */
export type SiteVerify = {
  readonly address: string;
  /** Form fields besides the token, the secret and the IP address of the user. */
  fields(url: ProviderUrl): Readonly<Record<string, string>>;
  readonly hasScore: boolean;
};

/** The common part of their setting URLs: `scheme://SITEKEY:SECRET[?verify=URL&score=0.5&hostname=…&action=…]`. */
export const siteVerifyUrl = {
  note: '?verify=URL sets another verify URL, &score=0.5 the minimum score of reCAPTCHA v3, &hostname=… the hosts where it may be solved (default: the hosts of PUBLIC_URL and CORS_ORIGINS), &action=… the expected action',
  parameters: ['verify', 'score', 'hostname', 'action'],
  bare: 'account',
  isLocalOnly: false,
  isComplete: ({ id, secret, query }: ProviderUrl) => id !== '' && secret !== '' && isVerifyQuery(query),
  plainHost: ({ query }: ProviderUrl) => plainHostOf(query.verify),
} as const;

/** Conditions on a success. Host and score apply only if the provider reports them. */
type Terms = {
  readonly hosts: readonly string[];
  readonly leastScore: number | undefined;
  readonly action: string | undefined;
};

type Answer = { readonly status: number; readonly text: string };

type Verdict = Readonly<Record<string, unknown>>;

const usualScore = '0.5';
/** A hanging provider is asked twice: a sign-in waits at most twice as long. */
export const verifyTimeoutMs = 3000;
const maxTokenLength = 4096;
/** Connections to the provider. The callers of one network have a quarter of them, so that they hold up nobody else. */
const turnBounds = { most: 128, mostOfOne: 32, waiting: { most: 1024, mostOfOne: 256 } };
const maxAnswerBytes = 65_536;
const sweepAfterMs = 600_000;

/** Error codes that mean a fault of the service or the provider, not of the user who sent the token. */
const ownFaults = ['missing-input-secret', 'invalid-input-secret', 'sitekey-secret-mismatch', 'internal-error'];

export function createSiteVerifyCaptcha(
  verifier: SiteVerify,
  url: ProviderUrl,
  { hosts, clock }: Pick<CaptchaParts, 'hosts' | 'clock'>,
  timeoutMs = verifyTimeoutMs,
): Captcha {
  const terms = termsOf(verifier, url, hosts);
  const address = new URL(url.query.verify ?? verifier.address);
  const turns = createTurns({ ...turnBounds, refuse: tooMany });
  const wait = (turn: Promise<void>) => waitFor(turn, { milliseconds: timeoutMs, late: tooMany });
  return {
    check: async (token, ip) => {
      if (token === '' || token.length > maxTokenLength) throw new Failure('CAPTCHA_INVALID');
      const endTurn = await turns.take(ip, wait);
      const answer = await askTwice(address, writeForm(verifier, url, token, ip), timeoutMs).finally(endTurn);
      judge(answer, terms);
      return { id: `remote:${sha256(token)}`, sweepAt: clock.now() + sweepAfterMs };
    },
  };
}

function isVerifyQuery({ verify, score, hostname, action }: ProviderUrl['query']): boolean {
  const isAddress = verify === undefined || (URL.canParse(verify) && /^https?:$/.test(new URL(verify).protocol));
  const isScore = score === undefined || /^(0(\.\d{1,3})?|1(\.0{1,3})?)$/.test(score);
  return isAddress && isScore && hostname !== '' && action !== '';
}

function plainHostOf(address: string | undefined): string | undefined {
  if (address === undefined) return undefined;
  const { protocol, host } = new URL(address);
  return protocol === 'http:' ? host : undefined;
}

export function termsOf({ hasScore }: SiteVerify, { query }: ProviderUrl, hosts: readonly string[]): Terms {
  return {
    hosts: query.hostname === undefined ? hosts : query.hostname.toLowerCase().split(','),
    leastScore: hasScore ? Number(query.score ?? usualScore) : undefined,
    action: query.action,
  };
}

export function writeForm(verifier: SiteVerify, url: ProviderUrl, token: string, ip: string): URLSearchParams {
  const form = new URLSearchParams({ secret: url.secret, response: token });
  // For an IPv6 client, `ip` is only its network, which is not an IP address.
  if (isIP(ip) !== 0) form.set('remoteip', ip);
  for (const [name, value] of Object.entries(verifier.fields(url))) form.set(name, value);
  return form;
}

async function askTwice(address: URL, form: URLSearchParams, timeoutMs: number): Promise<Answer> {
  const first = await ask(address, form, timeoutMs);
  const answer = first === undefined || first.status >= 500 ? await ask(address, form, timeoutMs) : first;
  if (answer === undefined) throw unavailable('did not answer in time');
  return answer;
}

/** Undefined if no complete answer arrived in time. */
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

/** Stops at the limit and returns an empty text, which is not valid JSON. */
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

/** Throws a Failure unless the answer is a success that meets the terms. */
export function judge({ status, text }: Answer, terms: Terms): void {
  const verdict = status === 200 ? parseVerdict(text) : {};
  if (verdict.success === true) {
    if (meets(verdict, terms)) return;
    throw new Failure('CAPTCHA_INVALID');
  }
  if (verdict.success === false && !isOwnFault(verdict['error-codes'])) throw new Failure('CAPTCHA_INVALID');
  throw unavailable(verdict.success === false ? 'refused our key' : `answered ${status}`);
}

/** Mobile apps and some privacy settings report no host. Only reCAPTCHA v3 reports a score. */
function meets({ hostname, score, action }: Verdict, terms: Terms): boolean {
  const isHostReported = hostname !== undefined && hostname !== '' && hostname !== 'not-provided';
  const isOurs = typeof hostname === 'string' && terms.hosts.includes(hostname.toLowerCase());
  const isHostRight = !isHostReported || terms.hosts.length === 0 || isOurs;
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

function tooMany(): Failure {
  return unavailable('is asked about too many tokens at once');
}

function unavailable(what: string): Failure {
  const cause = new Error(`the captcha provider ${what}`);
  return new Failure('CAPTCHA_UNAVAILABLE', { retryAfterSeconds: 5 }, cause);
}
