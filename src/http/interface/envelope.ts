// The envelope of every JSON answer, and the headers of a failure.
import type { AnyDetail, FailureCode, Refusal } from '../../kernel/failure.ts';
import type { Language } from '../../kernel/text/language.ts';
import { failureMessage, type SuccessCode, successMessage } from './catalogue.ts';
import { failureReplies } from './failure-replies.ts';
import { paths, uploadUrl } from './paths.ts';

/** The ticket of a failed sign-in with a number that may be recycled. */
export const ticketHeader = 'proof-ticket';

/** Where the sign-in for an app goes on after an expired link. */
const continueHeader = 'continue-to';

export const jsonType = 'application/json; charset=utf-8';

export type Data = Readonly<Record<string, unknown>> | null;

type RenderedFailure = {
  readonly status: number;
  readonly headers: Record<string, string>;
  readonly body: string;
};

export function success(language: Language, code: SuccessCode, data: Data): string {
  const start = starts.get(language)?.get(code) ?? startOf(language, code);
  return data === null ? `${start}null}` : `${start}${JSON.stringify(data)}}`;
}

/** What the answers of one kind in one language have in common. */
const starts = new Map<Language, Map<SuccessCode, string>>();

function startOf(language: Language, code: SuccessCode): string {
  const head = { success: true, message: successMessage(language, code), codeError: null };
  const start = `${JSON.stringify(head).slice(0, -1)},"data":`;
  const known = starts.get(language) ?? new Map<SuccessCode, string>();
  starts.set(language, known.set(code, start));
  return start;
}

export function failure(language: Language, refusal: Refusal, publicUrl: string): RenderedFailure {
  const { code, detail } = refusal;
  const { status } = failureReplies[code];
  const message = failureMessage(language, refusal);
  return {
    status,
    headers: failureHeaders(code, status, detail, publicUrl),
    body: JSON.stringify({ success: false, message, codeError: code, data: null }),
  };
}

function failureHeaders(
  code: FailureCode,
  status: number,
  detail: AnyDetail,
  publicUrl: string,
): Record<string, string> {
  const headers: Record<string, string> = { link: `<${publicUrl}/docs/errors#${code}>; rel="help"` };
  if (detail.retryAfterSeconds !== undefined) headers['retry-after'] = String(detail.retryAfterSeconds);
  if (detail.policy !== undefined) {
    const { name, quota, windowSeconds, resetSeconds } = detail.policy;
    headers['ratelimit-policy'] = `"${name}";q=${quota};w=${windowSeconds}`;
    headers.ratelimit = `"${name}";r=0;t=${resetSeconds}`;
  }
  if (status === 401) headers['www-authenticate'] = challenge(code);
  if (detail.allow !== undefined) headers.allow = detail.allow;
  if (detail.acceptPatch !== undefined) headers['accept-patch'] = detail.acceptPatch;
  if (detail.contentRange !== undefined) headers['content-range'] = detail.contentRange;
  if (detail.uploadId !== undefined) headers.location = uploadUrl(detail.uploadId);
  if (detail.uploadOffset !== undefined) headers['upload-offset'] = String(detail.uploadOffset);
  if (detail.isUploadComplete !== undefined) headers['upload-complete'] = detail.isUploadComplete ? '?1' : '?0';
  if (detail.uploadLimit !== undefined) headers['upload-limit'] = detail.uploadLimit;
  if (detail.proofTicket !== undefined) headers[ticketHeader] = detail.proofTicket;
  if (detail.authorizationTicket !== undefined)
    headers[continueHeader] = `${paths.authorize}?${new URLSearchParams({ ticket: detail.authorizationTicket })}`;
  return headers;
}

/** RFC 6750 section 3: no error code if the request has no credential. */
function challenge(code: FailureCode): string {
  return code.endsWith('_MISSING') ? 'Bearer realm="gatehouse"' : 'Bearer realm="gatehouse", error="invalid_token"';
}
