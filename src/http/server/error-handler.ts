// Turns every error into a failure code. An unknown error is logged with its stack; the client gets only INTERNAL_ERROR.
// A browser that opens an address gets a page with the same message.
import { type AnyDetail, Failure } from '../../kernel/failure.ts';
import type { Log } from '../../kernel/process/telemetry.ts';
import type { QuotaName } from '../../kernel/quota.ts';
import type { Language } from '../../kernel/text/language.ts';
import { failureMessage } from '../interface/catalogue.ts';
import { failure, jsonType } from '../interface/envelope.ts';
import { OAuthError, speaksOAuth, writeOAuthError, writeOAuthFailure } from '../oauth/oauth-error.ts';
import { languageVary, pageLanguage } from '../pages/page-language.ts';
import { isNavigation, isShown, type Problem, type ProblemPages, problemVary } from '../pages/problem-page.ts';
import { signInFirst } from '../pages/sign-in-first.ts';
import type { HttpReply } from './reply.ts';
import { type HttpRequest, routePattern } from './request.ts';

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

type ErrorHandler = (error: unknown, request: HttpRequest, reply: HttpReply) => void;

/** An error after the answer has begun changes nothing. Headers of the answer that failed stay, apart from those of its body. */
export function answerError(error: unknown, request: HttpRequest, reply: HttpReply, handle: ErrorHandler): void {
  if (reply.isSent) return;
  reply.removeHeader('content-type');
  reply.removeHeader('content-length');
  try {
    const own = request.route?.handleError;
    if (own === undefined) handle(error, request, reply);
    else own(error, request, reply);
  } catch (other) {
    // The handler of the route leaves the error to this one, or a header of the answer cannot be sent.
    if (other !== error) reply.reset();
    handle(other, request, reply);
  }
}

export function createErrorHandler(parts: AnswerParts, log: Log): ErrorHandler {
  return (error: unknown, request: HttpRequest, reply: HttpReply): void => {
    if (error instanceof OAuthError) {
      request.oauthError = error.error;
      // The protocol defines its descriptions in English.
      const problem = { status: error.status, message: error.message, messageLanguage: 'en' } as const;
      send(parts, request, reply, writeOAuthError(error), problem);
      return;
    }
    const refusal = error instanceof Failure ? error : new Failure('INTERNAL_ERROR', { requestId: request.id });
    if (refusal.code === 'INTERNAL_ERROR')
      log.error('fault', { requestId: request.id, route: routePattern(request), error });
    sendFailure(refusal, request, reply, parts);
  };
}

function sendFailure(refusal: Failure, request: HttpRequest, reply: HttpReply, parts: AnswerParts): void {
  const { url, language } = request;
  const written = speaksOAuth(url)
    ? writeOAuthFailure(refusal, parts.publicUrl)
    : failure(language, refusal, parts.publicUrl);
  request.failed = { code: refusal.code, quota: quotaOf(refusal) };
  request.failureCause = refusal.cause;
  const message = failureMessage(languageOf(request), refusal);
  send(parts, request, reply, written, { status: written.status, message });
}

function quotaOf({ detail }: { readonly detail: AnyDetail }): QuotaName | undefined {
  return detail.policy?.name;
}

/** A page follows the choice that the visitor made on a page. */
function languageOf(request: HttpRequest): Language {
  return isNavigation(request.headers) ? pageLanguage(request) : request.language;
}

function send(
  { problemPages }: AnswerParts,
  request: HttpRequest,
  reply: HttpReply,
  { status, headers, body }: Written,
  problem: Problem,
): void {
  if (problemPages === undefined || !isShown(status)) {
    reply.code(status).headers(headers).type(jsonType).send(body);
    return;
  }
  const known = reply.getHeader('vary');
  const vary = known === undefined ? problemVary : `${known}, ${problemVary}`;
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
