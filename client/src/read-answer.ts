// An answer of the service: its data, or its failure as an error with all that the headers tell.
import type { FailureCode } from './api-types.ts';
import { GatehouseError } from './gatehouse-error.ts';

export type Answer = { readonly status: number; header(name: string): string | null; readonly text: string };

export function readAnswer({ status, header, text }: Answer): unknown {
  const envelope = parseEnvelope(text);
  if (envelope?.success === true) return envelope.data;
  const requestId = header('x-request-id') ?? undefined;
  const retryAfterSeconds = secondsIn(header('retry-after'));
  if (envelope === undefined) {
    // A proxy's page, or nothing at all: the service itself never answers so.
    const message = `The service cannot be reached (status ${status}).`;
    throw new GatehouseError({ code: 'NETWORK', message, status, retryAfterSeconds, requestId });
  }
  const helpUrl = /<([^<>]+)>\s*;\s*rel="?help"?/.exec(header('link') ?? '')?.[1];
  const code = envelope.codeError as FailureCode;
  throw new GatehouseError({ code, message: envelope.message, status, retryAfterSeconds, requestId, helpUrl });
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
    return typeof value === 'object' && value !== null && 'success' in value ? (value as Envelope) : undefined;
  } catch {
    return undefined;
  }
}

/** Seconds, or a date of HTTP, as proxies send it. */
function secondsIn(header: string | null): number | undefined {
  if (header === null) return undefined;
  const seconds = /^\d+$/.test(header) ? Number(header) : Math.ceil((Date.parse(header) - Date.now()) / 1000);
  return seconds >= 0 ? seconds : undefined;
}
