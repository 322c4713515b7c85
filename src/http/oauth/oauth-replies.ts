// Parts of the answers that browsers get: redirects, and the page that says why an app cannot sign anybody in.
import type { App } from '../../apps/clients/app.ts';
import { Failure } from '../../kernel/failure.ts';
import { failureMessage } from '../interface/catalogue.ts';
import { failure } from '../interface/envelope.ts';
import { pageLanguage } from '../pages/page-language.ts';
import type { HttpReply } from '../server/reply.ts';
import type { HttpRequest } from '../server/request.ts';
import type { OAuthParts } from './oauth-parts.ts';
import type { AppErrorFacts, AppFacts } from './page-facts.ts';

/** The text after the first question mark, not decoded. */
export function queryOf(url: string): string {
  const at = url.indexOf('?');
  return at === -1 ? '' : url.slice(at + 1);
}

/** 303: the browser goes on with GET, whatever it did before. */
export function redirect(reply: HttpReply, location: string): HttpReply {
  return reply.code(303).header('location', location).send();
}

/** Never a redirect: nothing is known to be good that the browser could be sent to. */
export function showAppError(
  { sendPage }: Pick<OAuthParts, 'sendPage'>,
  request: HttpRequest,
  reply: HttpReply,
  appError: AppErrorFacts,
): HttpReply {
  return sendPage(reply.code(400), 'app-error', pageLanguage(request), { appError });
}

/**
 * While the database is away, a person who comes from an app gets the page about apps, in older browsers too. Everything else is for the
 * handler of all errors.
 */
export function showFailure(
  { sendPage, publicUrl }: Pick<OAuthParts, 'sendPage' | 'publicUrl'>,
  error: unknown,
  request: HttpRequest,
  reply: HttpReply,
): HttpReply {
  const isNavigation = request.headers.accept?.includes('text/html') === true;
  if (!isNavigation || !(error instanceof Failure) || error.code !== 'SERVICE_UNAVAILABLE') throw error;
  const language = pageLanguage(request);
  request.failed = { code: error.code, quota: error.detail.policy?.name };
  request.failureCause = error.cause;
  const { status, headers } = failure(language, error, publicUrl);
  const description = failureMessage(language, error);
  return sendPage(reply.code(status).headers(headers), 'app-error', language, {
    appError: { reason: 'later', appName: null, description },
  });
}

export function factsOf({ id, name, logo, isFirstParty }: App): AppFacts {
  return { id, name, logo: logo ?? null, isFirstParty };
}
