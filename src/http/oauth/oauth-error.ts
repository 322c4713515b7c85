// Errors below /oauth: {error, error_description} as RFC 6749 section 5.2 says, never the envelope of the other calls.
import type { Failure } from '../../kernel/failure.ts';
import { failureMessage } from '../interface/catalogue.ts';
import { failure } from '../interface/envelope.ts';
import { paths } from '../interface/paths.ts';
import { pathOf } from '../server/target.ts';

type OAuthErrorCode =
  | 'invalid_request'
  | 'invalid_client'
  | 'invalid_grant'
  | 'invalid_scope'
  | 'invalid_token'
  | 'insufficient_scope'
  | 'unsupported_grant_type'
  | 'unsupported_token_type'
  | 'temporarily_unavailable'
  | 'server_error';

/** An error that the protocol defines. Its description is English and plain ASCII without quotes or backslashes, as the protocol asks. */
export class OAuthError extends Error {
  readonly error: OAuthErrorCode;
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;

  constructor(
    error: OAuthErrorCode,
    description: string,
    { status = 400, headers = {} }: { status?: number; headers?: Readonly<Record<string, string>> } = {},
  ) {
    super(description);
    this.error = error;
    this.status = status;
    this.headers = headers;
  }
}

const documents: readonly string[] = [paths.openid, paths.authorizationServer];

/** Whether a request gets errors in this form. The URL may be of any length and content. */
export function speaksOAuth(url: string): boolean {
  const path = pathOf(url);
  return path === paths.oauth || path.startsWith(`${paths.oauth}/`) || documents.includes(path);
}

export function writeOAuthError({ status, headers, error, message }: OAuthError) {
  return { status, headers, body: write(error, message) };
}

/** A failure that any request can meet, with the headers that it has elsewhere. */
export function writeOAuthFailure(refusal: Failure, publicUrl: string) {
  const { status, headers } = failure('en', refusal, publicUrl);
  const body = write(errorOf(status), toAscii(failureMessage('en', refusal)));
  return { status, headers, body };
}

function errorOf(status: number): OAuthErrorCode {
  if (status === 429 || status === 503) return 'temporarily_unavailable';
  if (status === 401) return 'invalid_token';
  return status >= 500 ? 'server_error' : 'invalid_request';
}

function toAscii(text: string): string {
  return text.replaceAll(/[“”„"‘’\\]/g, "'").replaceAll(/[^ -~]/g, ' ');
}

function write(error: OAuthErrorCode, description: string): string {
  return JSON.stringify({ error, error_description: description });
}
