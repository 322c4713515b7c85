// The bad days of the tests' S3 server: what goes wrong, with which requests, and how often.
import type { IncomingMessage } from 'node:http';

export type S3Fault =
  /** Answers with this error after reading the request. */
  | { readonly kind: 'status'; readonly status: number; readonly code?: string }
  /** Answers with this error at once and hangs up, without reading the body. */
  | { readonly kind: 'early refusal'; readonly status: number; readonly code: string }
  | { readonly kind: 'error in 200'; readonly code: string }
  | { readonly kind: 'page in 200' }
  /** Does everything right, that much later. */
  | { readonly kind: 'slow first byte'; readonly milliseconds: number }
  /** Sends so many bytes of the body, then nothing more, but keeps the connection. */
  | { readonly kind: 'stalled body'; readonly bytes: number }
  /** Sends the body in so many parts with a pause after each. */
  | { readonly kind: 'dripping body'; readonly parts: number; readonly pauseMilliseconds: number }
  /** Promises the whole body, sends so many bytes, and hangs up. */
  | { readonly kind: 'truncated body'; readonly bytes: number }
  /** Promises and sends so many bytes more or fewer than it should. */
  | { readonly kind: 'wrong length'; readonly difference: number }
  | { readonly kind: 'no length' }
  /** Sends the whole object, with 200, whatever range was asked for. */
  | { readonly kind: 'range ignored' }
  /** Sends another range of the same length, and says so. */
  | { readonly kind: 'range moved' }
  /** Resets the connection when so many bytes of the request's body have come. */
  | { readonly kind: 'reset in request'; readonly bytes: number }
  /** Takes the connection and the head of the request, then reads no more. */
  | { readonly kind: 'stalled request' }
  /** Says 200 to a PUT whose body it has not read, and does not store it. */
  | { readonly kind: 'hasty 200' }
  /** Stores the object only then, when the client has long gone. */
  | { readonly kind: 'late success'; readonly until: Promise<void> }
  /** Stores the object, and never answers. */
  | { readonly kind: 'mute success' }
  /** Stores the object, then resets the connection instead of answering. */
  | { readonly kind: 'lost answer' }
  /** Lists with this text instead of its own. */
  | { readonly kind: 'odd list'; readonly xml: string };

export type S3Faults = {
  /** For that many requests of the method, or until cleared; then the server is well again. */
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
