// Sends one POST to a provider. Returns its answer, or a failure that says whether the request may have arrived.
import type { SendOutcome } from '../../messages/delivery/sender.ts';

type PostRequest = {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
};

export type Answer = {
  readonly kind: 'answered';
  readonly status: number;
  readonly text: string;
  readonly retryAfter: string | undefined;
};

type FailedOutcome = Exclude<SendOutcome, { readonly kind: 'accepted' }>;

const maxBytes = 64 * 1024;

const reasons: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'connection refused',
  ECONNRESET: 'connection lost',
  EPIPE: 'connection lost',
  UND_ERR_SOCKET: 'connection lost',
  UND_ERR_CONNECT_TIMEOUT: 'time-out',
  ENOTFOUND: 'name not found',
  EAI_AGAIN: 'name not found',
};

/** Never throws. Does not follow redirects, because their target was never configured. */
export async function post(request: PostRequest, signal: AbortSignal): Promise<Answer | FailedOutcome> {
  const bytes = new TextEncoder().encode(request.body);
  let isSent = false;
  // A stream, because fetch reads it only after the connection is established. A request that fails earlier was not sent.
  const body = new ReadableStream<Uint8Array>(
    {
      pull(controller) {
        isSent = true;
        controller.enqueue(bytes);
        controller.close();
      },
    },
    { highWaterMark: 0 },
  );
  const headers = { accept: 'application/json', ...request.headers, 'content-length': String(bytes.byteLength) };
  try {
    const response = await fetch(request.url, {
      method: 'POST',
      headers,
      body,
      duplex: 'half',
      redirect: 'manual',
      signal,
    });
    const retryAfter = response.headers.get('retry-after') ?? undefined;
    const chunks: Uint8Array[] = [];
    // An incomplete body is enough: the status is already known.
    await readChunks(response, chunks).catch(() => undefined);
    return { kind: 'answered', status: response.status, text: toText(chunks), retryAfter };
  } catch (error) {
    return { kind: isSent ? 'doubtful' : 'refused', error: reasonOf(error) };
  }
}

/** A provider that has enough says so, and for how long (RFC 9110, 10.2.3; RFC 6585, 4). */
export function refusedBy({ status, retryAfter }: Answer): FailedOutcome {
  const error = `HTTP ${status}`;
  const wait = status === 429 || status === 503 ? readRetryAfter(retryAfter, Date.now()) : undefined;
  if (wait !== undefined) return { kind: 'refused', error, waitMilliseconds: wait };
  return { kind: 'refused', error, ...(status === 429 && { waitMilliseconds: usualWait }) };
}

/** Of a 429 that does not say how long. */
const usualWait = 1000;

/** In milliseconds. Undefined if it is neither seconds nor a date. */
export function readRetryAfter(text: string | undefined, now: number): number | undefined {
  const plain = text?.trim() ?? '';
  if (/^\d{1,9}$/.test(plain)) return Number(plain) * 1000;
  const at = plain === '' ? Number.NaN : Date.parse(plain);
  return Number.isNaN(at) ? undefined : Math.max(0, at - now);
}

export function parseObject(text: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? Object.fromEntries(Object.entries(value)) : undefined;
  } catch {
    return undefined;
  }
}

/** Adds the body to `chunks` and stops at the limit. Throws if the connection is lost. */
export async function readChunks(response: Response, chunks: Uint8Array[]): Promise<void> {
  let size = 0;
  for await (const chunk of response.body ?? []) {
    chunks.push(chunk);
    size += chunk.byteLength;
    if (size >= maxBytes) break;
  }
}

export function toText(chunks: readonly Uint8Array[]): string {
  return Buffer.concat(chunks).subarray(0, maxBytes).toString();
}

export function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return 'connection failed';
  if (error.name === 'TimeoutError' || error.name === 'AbortError') return 'time-out';
  const { cause } = error;
  const code = cause instanceof Error && 'code' in cause ? String(cause.code) : '';
  return reasons[code] ?? (/^[A-Z0-9_]+$/.test(code) ? `connection failed: ${code}` : 'connection failed');
}
