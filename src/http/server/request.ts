// A request as guards and handlers see it, and its route. What only some of them need is found out when it is first asked for.
import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import type { BackendCaller } from '../../backend/service-key.ts';
import type { FailureCode } from '../../kernel/failure.ts';
import type { QuotaName } from '../../kernel/quota.ts';
import { chooseLanguage, type Language } from '../../kernel/text/language.ts';
import type { Admin } from '../../support/staff/admin.ts';
import type { Caller } from '../interface/route.ts';
import { type ClientAddress, forwardedFor } from './client-address.ts';
import type { HttpReply } from './reply.ts';
import { requestId } from './request-id.ts';
import { type Query, readQuery, readTarget, type Target } from './target.ts';

export type AnsweredFailure = { readonly code: FailureCode; readonly quota: QuotaName | undefined };

export type Handler = (request: HttpRequest, reply: HttpReply) => unknown;

export type RouteRules = {
  /** The request must have a body, in JSON. */
  readonly takesBody?: boolean;
  /** Of a JSON body, where the limit of other routes does not fit. */
  readonly maxBodyBytes?: number | undefined;
  /** The handler reads the body itself, for any content type. */
  readonly takesStream?: boolean;
  /** The body is a form of OAuth: the handler gets its parameters. */
  readonly takesForm?: boolean;
  /** Answers with the bytes of a stored file. */
  readonly servesFile?: boolean;
  /** People open this address: a browser that is not signed in goes to the sign-in page first. */
  readonly leadsToSignIn?: boolean;
  /** The id in the path may be any text. */
  readonly takesAnyId?: boolean;
  /** The route counts the request itself: by the service key or the app that it proves, or by its address. */
  readonly isCountedByKey?: boolean;
  /** For probes, which must not be rate-limited; the answer reveals nothing that could be abused. */
  readonly isUnlimited?: boolean;
  /** HEAD is refused: GET has an effect that nobody would see. */
  readonly refusesHead?: boolean;
};

export type HttpRoute = {
  readonly method: string;
  /** The pattern, with `:name` for a parameter. */
  readonly path: string;
  readonly rules: RouteRules;
  /** Runs before the body is read. Returns undefined if there is nothing to wait for. */
  readonly guard?: (request: HttpRequest) => Promise<void> | undefined;
  readonly handle: Handler;
  /** Answers an error of this route, or throws what the handler of all errors is to answer. */
  readonly handleError?: (error: unknown, request: HttpRequest, reply: HttpReply) => void;
};

export class HttpRequest {
  readonly raw: IncomingMessage;
  readonly method: string;
  readonly url: string;
  readonly target: Target;
  readonly headers: IncomingHttpHeaders;
  readonly id: string;
  readonly startedAt: number;
  /** Undefined if no route has this method and path. */
  route: HttpRoute | undefined = undefined;
  params: Readonly<Record<string, string>> = {};
  body: unknown = undefined;
  caller: Caller | undefined = undefined;
  /** The signed-in staff member; set only on admin routes. */
  admin: Admin | undefined = undefined;
  backend: BackendCaller | undefined = undefined;
  /** The failure in the answer, and the exceeded quota if there is one. For the log and the metrics. */
  failed: AnsweredFailure | undefined = undefined;
  /** The error in an answer below /oauth that has no failure code. For the log. */
  oauthError: string | undefined = undefined;
  /** The cause of an answer of 5xx, for the log. */
  failureCause: unknown = undefined;
  private readonly findAddress: ClientAddress;
  private knownAddress: string | undefined = undefined;
  private knownLanguage: Language | undefined = undefined;
  private knownQuery: Query | undefined = undefined;

  constructor(raw: IncomingMessage, findAddress: ClientAddress) {
    this.raw = raw;
    this.method = raw.method ?? 'GET';
    this.url = raw.url ?? '/';
    this.target = readTarget(this.url);
    this.headers = raw.headers;
    this.id = requestId(this.headers['x-request-id']);
    this.startedAt = performance.now();
    this.findAddress = findAddress;
  }

  get socket(): Socket {
    return this.raw.socket;
  }

  /** Canonical IP address of the client. */
  get clientAddress(): string {
    this.knownAddress ??= this.findAddress(this.socket.remoteAddress, forwardedFor(this.headers['x-forwarded-for']));
    return this.knownAddress;
  }

  get language(): Language {
    this.knownLanguage ??= chooseLanguage(this.headers['accept-language']);
    return this.knownLanguage;
  }

  get query(): Query {
    this.knownQuery ??= readQuery(this.target.query);
    return this.knownQuery;
  }
}

/** The route's pattern from the table. Safe for logs and metrics, because it contains no input of the client. */
export function routePattern({ route }: Pick<HttpRequest, 'route'>): string {
  return route?.path ?? 'unknown';
}
