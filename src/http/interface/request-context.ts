// Facts of one request that hooks find out once and handlers use: the only things that hang on Fastify's request.
import type { FastifyRequest } from 'fastify';
import type { FailureCode, QuotaName } from '../../kernel/failure.ts';
import type { Language } from '../../kernel/language.ts';
import type { Admin } from '../../support/admin.ts';
import type { Caller } from './route.ts';

export type AnsweredFailure = { readonly code: FailureCode; readonly quota: QuotaName | undefined };

declare module 'fastify' {
  interface FastifyRequest {
    /** Canonical client address. */
    clientAddress: string;
    language: Language;
    caller: Caller | undefined;
    /** Who of the support staff is calling, where the route is theirs. */
    admin: Admin | undefined;
    /** The failure that was answered, and the quota that refused where one did: for the log and the metrics. */
    failed: AnsweredFailure | undefined;
    /** What lies behind an answer of 5xx; for the log. */
    failureCause: unknown;
  }
}

/** The route as it is written in the table: fit for logs and metrics, because it holds nothing that a caller chose. */
export function routePattern(request: FastifyRequest): string {
  return request.routeOptions.url ?? 'unknown';
}
