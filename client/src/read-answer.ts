// Reads a response of the service: returns its data, or throws its failure with the details from the headers.
import type { FailureCode } from './api-types.ts';
import { GatehouseError } from './gatehouse-error.ts';

export type Answer = { readonly status: number; header(name: string): string | null; readonly text: string };

export function readAnswer({ status, header, text }: Answer): unknown {
  const envelope = parseEnvelope(text);
  if (envelope?.success === true) return envelope.data;
  const requestId = header('x-request-id') ?? undefined;
  const retryAfterSeconds = secondsIn(header('retry-after'));
  if (envelope === undefined) {
    // The response is from a proxy, or empty: the service always sends the envelope.
    const message = `The service cannot be reached (status ${status}).`;
    throw new GatehouseError({ code: 'NETWORK', message, status, retryAfterSeconds, requestId });
  }
  const helpUrl = /<([^<>]+)>\s*;\s*rel="?help"?/.exec(header('link') ?? '')?.[1];
  const code = envelope.codeError as FailureCode;
  const proofTicket = header('proof-ticket') ?? undefined;
  const continueTo = header('continue-to') ?? undefined;
  const { message } = envelope;
  throw new GatehouseError({ code, message, status, retryAfterSeconds, requestId, helpUrl, proofTicket, continueTo });
}

type Envelope = {
  readonly success: boolean;
  readonly message: string;
  readonly codeError: string | null;
  readonly data: unknown;
};

function parseEnvelope(text: string): Envelope | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isEnvelope(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

/** A gateway may answer with JSON that looks similar. A failure of the service always has a code. */
function isEnvelope(value: unknown): value is Envelope {
  if (typeof value !== 'object' || value === null || !('success' in value)) return false;
  return value.success === true ? 'data' in value : 'codeError' in value && typeof value.codeError === 'string';
}

/** Accepts seconds or an HTTP date; some proxies send a date. */
function secondsIn(header: string | null): number | undefined {
  if (header === null) return undefined;
  const seconds = /^\d+$/.test(header) ? Number(header) : Math.ceil((Date.parse(header) - Date.now()) / 1000);
  return seconds >= 0 ? seconds : undefined;
}
