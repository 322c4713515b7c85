// The faults of the tests' S3 server: what fails, for which requests, and how often.
import type { IncomingMessage } from 'node:http';

export type S3Fault =
  /** Answers with this error after reading the request. */
  | { readonly kind: 'status'; readonly status: number; readonly code?: string }
  /** Answers with this error at once and closes the connection, without reading the body. */
  | { readonly kind: 'early refusal'; readonly status: number; readonly code: string }
  | { readonly kind: 'error in 200'; readonly code: string }
  | { readonly kind: 'page in 200' }
  /** Answers correctly, but that much later. */
  | { readonly kind: 'slow first byte'; readonly milliseconds: number }
  /** Sends that many bytes of the body, then nothing more, but keeps the connection. */
  | { readonly kind: 'stalled body'; readonly bytes: number }
  /** Sends the body in that many parts with a pause after each. */
  | { readonly kind: 'dripping body'; readonly parts: number; readonly pauseMilliseconds: number }
  /** Announces the whole body, sends that many bytes, and closes the connection. */
  | { readonly kind: 'truncated body'; readonly bytes: number }
  /** Announces and sends that many bytes more or fewer than it should. */
  | { readonly kind: 'wrong length'; readonly difference: number }
  | { readonly kind: 'no length' }
  /** Sends the whole object, with 200, whatever range was asked for. */
  | { readonly kind: 'range ignored' }
  /** Sends another range of the same length, with a matching Content-Range. */
  | { readonly kind: 'range moved' }
  /** Resets the connection after that many bytes of the request body. */
  | { readonly kind: 'reset in request'; readonly bytes: number }
  /** Reads the head of the request, then reads no more. */
  | { readonly kind: 'stalled request' }
  /** Answers 200 to a PUT without reading its body, and does not store it. */
  | { readonly kind: 'hasty 200' }
  /** Stores the object late, when the client is gone. */
  | { readonly kind: 'late success'; readonly until: Promise<void> }
  /** Stores the object, and never answers. */
  | { readonly kind: 'mute success' }
  /** Stores the object, then resets the connection instead of answering. */
  | { readonly kind: 'lost answer' }
  /** Lists with this text instead of its own. */
  | { readonly kind: 'odd list'; readonly xml: string };

export type S3Faults = {
  /** Applies to that many requests of the method, or until cleared. */
  add(method: string, fault: S3Fault, times?: number): void;
  clear(): void;
  take(request: IncomingMessage): S3Fault | undefined;
};

export function createFaults(): S3Faults {
  const waiting: { method: string; fault: S3Fault; left: number }[] = [];
  return {
    add: (method, fault, times = Number.POSITIVE_INFINITY) => waiting.push({ method, fault, left: times }),
    clear: () => {
      waiting.length = 0;
    },
    take: (request) => {
      const next = waiting.find(({ method, left }) => method === request.method && left > 0);
      if (next !== undefined) next.left -= 1;
      return next?.fault;
    },
  };
}
