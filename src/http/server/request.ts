// A request as guards and handlers see it. What only some of them need is found out when it is first asked for.
import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import type { FailureCode, QuotaName } from '../../kernel/failure.ts';
import { chooseLanguage, type Language } from '../../kernel/language.ts';
import type { ServiceCaller } from '../../service/service-key.ts';
import type { Admin } from '../../support/admin.ts';
import type { Caller } from '../interface/route.ts';
import { type ClientAddress, forwardedFor } from './client-address.ts';
import { requestId } from './request-id.ts';
import type { HttpRoute } from './router.ts';
import { type Query, readQuery, readTarget, type Target } from './target.ts';

export type AnsweredFailure = { readonly code: FailureCode; readonly quota: QuotaName | undefined };

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
  service: ServiceCaller | undefined = undefined;
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
