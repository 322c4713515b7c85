// What a route is: one endpoint's schema, its possible failures, and a handler that calls one use case.
import type { IncomingMessage } from 'node:http';
import type { Readable } from 'node:stream';
import type { Pump } from '../../files/blob-store.ts';
import type { FailureCode } from '../../kernel/failure.ts';
import type { Language } from '../../kernel/language.ts';
import type { Admin } from '../../support/admin.ts';
import type { SuccessCode } from './catalogue.ts';
import type { Data } from './envelope.ts';
import type { Schema, TypeOf } from './schema.ts';

/** Who a valid access token speaks for, and how it came: a cookie travels by itself and needs an origin check. */
export type Caller = { readonly userId: string; readonly sessionId: string; readonly via: 'header' | 'cookie' };

/** One call as a handler sees it. */
export type Call<Body = unknown, Query = unknown, Params = unknown> = {
  readonly body: Body;
  readonly query: Query;
  readonly params: Params;
  /** Canonical client address. */
  readonly ip: string;
  readonly language: Language;
  readonly requestId: string;
  readonly userAgent: string | undefined;
  /** The captcha-token header; empty when the route asks for none. */
  readonly captchaToken: string;
  /** Throws ACCESS_TOKEN_MISSING where the route is open to strangers. */
  readonly caller: Caller;
  /** Throws ADMIN_REQUIRED where the route is not of the admin page. */
  readonly admin: Admin;
  readonly header: (name: string) => string | undefined;
  readonly cookie: (name: string) => string | undefined;
  readonly method: string;
  /** The request itself, for a route that takes its body as a stream. */
  readonly stream: IncomingMessage;
  /** Aborted when the client has gone. */
  readonly signal: AbortSignal;
};

export type Answer = EnvelopeAnswer | ContentAnswer;

export type EnvelopeAnswer = {
  readonly data: Data;
  readonly cookies?: readonly string[];
  readonly headers?: Readonly<Record<string, string>>;
};

/** A file's bytes, or a redirect to them: the only answers of a route that are no envelope. */
export type ContentAnswer = {
  readonly status: 200 | 206 | 302 | 304;
  readonly headers: Readonly<Record<string, string>>;
  /** Left out where the answer has no body. */
  readonly content?: Readable | Buffer | Pump;
};

export type Route = {
  readonly summary: string;
  readonly description?: string;
  readonly success: SuccessCode;
  readonly failures: readonly FailureCode[];
  readonly body?: Schema;
  /** The handler reads the body itself, whatever its type. */
  readonly takesStream?: true;
  /** Content types of the request and the answer, where they are not the JSON of the schemas; for the docs. */
  readonly requestTypes?: Readonly<Record<string, Schema>>;
  readonly answerTypes?: readonly string[];
  /** A body may be left out. */
  readonly bodyOptional?: true;
  /** Answers with an ask token, or takes one: as a header for apps, as a cookie for browsers. */
  readonly askToken?: 'given' | 'taken';
  readonly query?: Schema;
  readonly params?: Schema;
  /** Schema of `data`; left out where it is null. */
  readonly data?: Schema;
  /** An example of `data`, for the docs. */
  readonly example?: Data;
  /** HTTP status of success; 200 when left out. */
  readonly status?: 200 | 201;
  handle(call: Call): Promise<Answer>;
};

/** Ties the schemas to the handler's types. */
export function defineRoute<
  B extends Schema | undefined = undefined,
  Q extends Schema | undefined = undefined,
  P extends Schema | undefined = undefined,
>(
  route: Omit<Route, 'handle' | 'body' | 'query' | 'params'> & {
    body?: B;
    query?: Q;
    params?: P;
    handle(call: Call<TypeOf<B>, TypeOf<Q>, TypeOf<P>>): Promise<Answer>;
  },
): Route {
  return route as unknown as Route;
}
