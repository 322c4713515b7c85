// Facts of one request that hooks find out once and handlers use: the only things that hang on Fastify's request.
import type { FastifyRequest } from 'fastify';
import type { FailureCode } from '../../kernel/failure.ts';
import type { Language } from '../../kernel/language.ts';
import type { LimitName } from '../../kernel/metrics.ts';
import type { Admin } from '../../support/admin.ts';
import type { Caller } from './route.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** Canonical client address. */
    clientAddress: string;
    language: Language;
    caller: Caller | undefined;
    /** Who of the support staff is calling, where the route is theirs. */
    admin: Admin | undefined;
    /** Code of the failure that was answered, for the log. */
    failureCode: FailureCode | undefined;
    /** What lies behind an answer of 5xx; for the log. */
    failureCause: unknown;
    /** The limit that refused, for the figures. */
    struckLimit: LimitName | undefined;
  }
}

/** The route as it is written in the table: fit for logs and metrics, because it holds nothing that a caller chose. */
export function routePattern(request: FastifyRequest): string {
  return request.routeOptions.url ?? 'unknown';
}
