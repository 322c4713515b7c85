// The type of a route: one endpoint's schemas, its possible failures, and a handler that calls one use case.

import type { IncomingMessage } from 'node:http';
import type { Readable } from 'node:stream';
import type { SessionId } from '../../auth/sessions/session-id.ts';
import type { BackendCaller } from '../../backend/service-key.ts';
import type { Pump } from '../../files/storage/blob-store.ts';
import type { FailureCode } from '../../kernel/failure.ts';
import type { UserId } from '../../kernel/ids.ts';
import type { Markup } from '../../kernel/text/html.ts';
import type { Language } from '../../kernel/text/language.ts';
import type { Admin } from '../../support/staff/admin.ts';
import type { SuccessCode } from './catalogue.ts';
import type { ClearedCookie, Cookie, CookieName } from './cookies.ts';
import type { Data } from './envelope.ts';
import type { Schema, TypeOf } from './schema.ts';

/** The user and session of a valid access token, and how it was sent. Browsers add a cookie by themselves, so it needs an origin check. */
export type Caller = {
  readonly userId: UserId;
  readonly sessionId: SessionId;
  /** When the user was last proved. Undefined if an older version issued the token. */
  readonly provedAt: number | undefined;
  readonly via: 'header' | 'cookie';
};

/** One request as a handler gets it. */
export type Call<Body = unknown, Query = unknown, Params = unknown> = {
  readonly body: Body;
  readonly query: Query;
  readonly params: Params;
  /** Canonical IP address of the client. */
  readonly ip: string;
  readonly language: Language;
  readonly requestId: string;
  /** When the request came, by `performance.now`. */
  readonly arrivedAt: number;
  readonly userAgent: string | undefined;
  /** The captcha-token header; empty if the route needs none. */
  readonly captchaToken: string;
  /** Throws ACCESS_TOKEN_MISSING if the route has no access guard. */
  readonly caller: Caller;
  /** Throws ADMIN_REQUIRED if the route has no admin guard. */
  readonly admin: Admin;
  /** Throws SERVICE_KEY_INVALID if the route has no backend guard. */
  readonly backend: BackendCaller;
  readonly header: (name: string) => string | undefined;
  readonly cookie: (name: string) => string | undefined;
  readonly method: string;
  /** The raw request, for a route that reads its body as a stream. */
  readonly stream: IncomingMessage;
  /** Sends an interim response. Does nothing if the client knows none, or if the answer has begun. */
  readonly inform: (status: 104, headers: Readonly<Record<string, string>>) => void;
  /** Aborted when the client disconnects. */
  readonly signal: AbortSignal;
};

/** `Sets`: the cookies that it may set. It may clear all of them. */
export type Answer<Sets extends CookieName = never> = EnvelopeAnswer<Sets> | ContentAnswer | PageAnswer;

export type EnvelopeAnswer<Sets extends CookieName = never> = {
  readonly data: Data;
  /** The second success that the route describes, instead of the first. */
  readonly isSecond?: true;
  readonly cookies?: readonly (Cookie<Sets> | ClearedCookie)[];
  readonly headers?: Readonly<Record<string, string>>;
};

/** A file's bytes, or a redirect to them. Every other answer of a route is an envelope. */
export type ContentAnswer = {
  readonly status: 200 | 206 | 302 | 304;
  readonly headers: Readonly<Record<string, string>>;
  /** Undefined if the answer has no body. */
  readonly content?: Readable | Buffer | Pump;
};

/** A page for people, where programs get the bytes of a file or a failure. */
export type PageAnswer = {
  readonly page: 'shared-file';
  readonly facts: Readonly<Record<string, unknown>>;
  /** The same for a browser without JavaScript. */
  readonly withoutScript: (language: Language) => Markup;
  readonly headers: Readonly<Record<string, string>>;
  /** What the page is about, if it is an error page. The status is that of the failure. */
  readonly failure?: FailureCode;
};

export type Route = {
  readonly summary: string;
  readonly description?: string;
  readonly success: SuccessCode;
  readonly failures: readonly FailureCode[];
  readonly body?: Schema;
  /** The handler reads the body itself, for any content type. */
  readonly takesStream?: true;
  /** Answers with the bytes of a stored file. The metrics count them. */
  readonly servesFile?: true;
  /** The id in the path may be any text. An id that cannot be decoded gives 404, not 400. */
  readonly takesAnyId?: true;
  /** Content types of request and answer if they are not the JSON of the schemas. For the docs. */
  readonly requestTypes?: Readonly<Record<string, Schema>>;
  readonly answerTypes?: readonly string[];
  /** What a successful answer is, if its message does not say so: an answer of other types than JSON has no message. For the docs. */
  readonly answerMeaning?: string;
  /** Request headers that the caller may send, with their meaning. For the docs. */
  readonly requestHeaders?: Readonly<Record<string, string>>;
  /** Headers of a successful answer, with their meaning. For the docs. */
  readonly answerHeaders?: Readonly<Record<string, string>>;
  /** Interim responses with the status 104 while the body arrives: what they say, and their headers with their meaning. For the docs. */
  readonly interim?: { readonly meaning: string; readonly headers: Readonly<Record<string, string>> };
  /** The request may have no body. */
  readonly bodyOptional?: true;
  /** The largest JSON body, where the limit of other routes is too small for what the schema allows. */
  readonly maxBodyBytes?: number;
  /** The route answers with an ask token, or takes one: as a header for apps, as a cookie for browsers. */
  readonly askToken?: 'given' | 'taken';
  /** The route takes a device token, and may answer with a new one: as a header for apps, as a cookie for browsers. */
  readonly deviceToken?: 'renewed' | 'taken';
  /** The cookies that the answer may set. It cannot set another one. */
  readonly cookies?: readonly CookieName[];
  readonly query?: Schema;
  readonly params?: Schema;
  /** Schema of `data`; undefined if `data` is null. */
  readonly data?: Schema;
  /** An example of `data`, for the docs. */
  readonly example?: Data;
  /** HTTP status of success; 200 by default. */
  readonly status?: 200 | 201;
  /** A second successful answer: the request is accepted and takes effect later, or more requests must follow. */
  readonly other?: {
    readonly status: 200 | 201 | 202;
    readonly success: SuccessCode;
    readonly data: Schema;
    readonly example: Data;
  };
  /** What else a route answers that serves a file, and why. For the docs. */
  readonly otherAnswers?: Readonly<Record<Exclude<ContentAnswer['status'], 200>, string>>;
  handle(call: Call): Promise<Answer<CookieName>>;
};

/** Infers the types of the handler from the schemas. */
export function defineRoute<
  B extends Schema | undefined = undefined,
  Q extends Schema | undefined = undefined,
  P extends Schema | undefined = undefined,
  const C extends CookieName = never,
>(
  route: Omit<Route, 'handle' | 'body' | 'query' | 'params' | 'cookies'> & {
    body?: B;
    query?: Q;
    params?: P;
    cookies?: readonly C[];
    handle(call: Call<TypeOf<B>, TypeOf<Q>, TypeOf<P>>): Promise<Answer<NoInfer<C>>>;
  },
): Route {
  return route as unknown as Route;
}
