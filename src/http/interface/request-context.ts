// The request context: what hooks find out once and handlers use. These are the only fields that we add to Fastify's request.
import type { FastifyRequest } from 'fastify';
import type { FailureCode, QuotaName } from '../../kernel/failure.ts';
import type { Language } from '../../kernel/language.ts';
import type { ServiceCaller } from '../../service/service-key.ts';
import type { Admin } from '../../support/admin.ts';
import type { Caller } from './route.ts';

export type AnsweredFailure = { readonly code: FailureCode; readonly quota: QuotaName | undefined };

declare module 'fastify' {
  interface FastifyRequest {
    /** Canonical IP address of the client. */
    clientAddress: string;
    language: Language;
    caller: Caller | undefined;
    /** The signed-in staff member; set only on admin routes. */
    admin: Admin | undefined;
    service: ServiceCaller | undefined;
    /** The failure in the answer, and the exceeded quota if there is one. For the log and the metrics. */
    failed: AnsweredFailure | undefined;
    /** The error in an answer below /oauth that has no failure code. For the log. */
    oauthError: string | undefined;
    /** The cause of an answer of 5xx, for the log. */
    failureCause: unknown;
  }
}

/** The route's pattern from the table. Safe for logs and metrics, because it contains no input of the client. */
export function routePattern(request: FastifyRequest): string {
  return request.routeOptions.url ?? 'unknown';
}
