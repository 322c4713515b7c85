// Turns every error into a failure code. An unknown error is logged with its stack; the client gets only INTERNAL_ERROR.
// A browser that opens an address gets a page with the same message.
import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify';
import { Failure } from '../../kernel/failure.ts';
import type { Language } from '../../kernel/language.ts';
import type { Log } from '../../kernel/telemetry.ts';
import { failureMessage } from '../interface/catalogue.ts';
import { failure, jsonType } from '../interface/envelope.ts';
import { routePattern } from '../interface/request-context.ts';
import { OAuthError, speaksOAuth, writeOAuthError, writeOAuthFailure } from '../oauth/oauth-error.ts';
import { languageVary, pageLanguage } from '../pages/page-language.ts';
import { isNavigation, isShown, type Problem, type ProblemPages, problemVary } from '../pages/problem-page.ts';
import { signInFirst } from '../pages/sign-in-first.ts';

export type AnswerParts = {
  readonly publicUrl: string;
  /** Undefined: everyone gets JSON. */
  readonly problemPages?: ProblemPages | undefined;
};

type Written = {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
};

export function createErrorHandler(parts: AnswerParts, log: Log) {
  return (error: unknown, request: FastifyRequest, reply: FastifyReply): void => {
    if (error instanceof OAuthError) {
      request.oauthError = error.error;
      // The protocol defines its descriptions in English.
      const problem = { status: error.status, message: error.message, messageLanguage: 'en' } as const;
      send(parts, request, reply, writeOAuthError(error), problem);
      return;
    }
    const refusal = toFailure(error, request.id);
    if (refusal.code === 'INTERNAL_ERROR')
      log.error('fault', { requestId: request.id, route: routePattern(request), error });
    sendFailure(refusal, request, reply, parts);
  };
}

export function sendFailure(refusal: Failure, request: FastifyRequest, reply: FastifyReply, parts: AnswerParts): void {
  const { url, language } = request;
  const written = speaksOAuth(url)
    ? writeOAuthFailure(refusal, parts.publicUrl)
    : failure(language, refusal, parts.publicUrl);
  request.failed = { code: refusal.code, quota: refusal.detail.policy?.name };
  request.failureCause = refusal.cause;
  const message = failureMessage(languageOf(request), refusal.code, refusal.detail);
  send(parts, request, reply, written, { status: written.status, message });
}

/** A page follows the choice that the visitor made on a page. */
function languageOf(request: FastifyRequest): Language {
  return isNavigation(request.headers) ? pageLanguage(request) : request.language;
}

function send(
  { problemPages }: AnswerParts,
  request: FastifyRequest,
  reply: FastifyReply,
  { status, headers, body }: Written,
  problem: Problem,
): void {
  if (problemPages === undefined || !isShown(status)) {
    reply.code(status).headers(headers).type(jsonType).send(body);
    return;
  }
  const vary = [reply.getHeader('vary') ?? [], problemVary].flat().join(', ');
  const isPage = isNavigation(request.headers);
  const place = isPage && status === 401 ? signInFirst(request) : undefined;
  if (place !== undefined) {
    reply.code(302).headers({ location: place, vary }).send();
    return;
  }
  reply.code(status).headers(headers);
  if (isPage) {
    const page = problemPages(languageOf(request), problem);
    reply.headers({ ...page.headers, vary: `${languageVary}, ${vary}` }).send(page.body);
    return;
  }
  reply.header('vary', vary).type(jsonType).send(body);
}

function toFailure(error: unknown, requestId: string): Failure {
  if (error instanceof Failure) return error;
  const { validation, code, statusCode } = error as Partial<FastifyError>;
  if (validation !== undefined) return new Failure('REQUEST_INVALID', { field: fieldOf(validation) });
  if (code === 'FST_ERR_CTP_INVALID_MEDIA_TYPE')
    return new Failure('MEDIA_TYPE_UNSUPPORTED', { list: 'application/json' });
  if (code === 'FST_ERR_CTP_BODY_TOO_LARGE') return new Failure('BODY_TOO_LARGE', { limit: '16 KiB' });
  if (code === 'FST_ERR_NOT_FOUND') return new Failure('REQUEST_INVALID', { field: 'method' });
  if (statusCode !== undefined && statusCode >= 400 && statusCode < 500)
    return new Failure('REQUEST_INVALID', { field: 'request' });
  return new Failure('INTERNAL_ERROR', { requestId });
}

type Validation = NonNullable<FastifyError['validation']>;

function fieldOf(validation: Validation): string {
  const [first] = validation;
  const missing = first?.params.missingProperty;
  if (typeof missing === 'string') return missing;
  const path = first?.instancePath.split('/').filter((part) => part !== '');
  return path === undefined || path.length === 0 ? 'body' : path.join('.');
}
