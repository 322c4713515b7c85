// Turns every error into a failure code. An unknown error is logged with its stack; the client gets only INTERNAL_ERROR.
import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify';
import { Failure } from '../../kernel/failure.ts';
import type { Log } from '../../kernel/telemetry.ts';
import { failure, jsonType } from '../interface/envelope.ts';
import { routePattern } from '../interface/request-context.ts';
import { OAuthError, sendOAuthError, speaksOAuth, writeOAuthFailure } from '../oauth/oauth-error.ts';

export function createErrorHandler(publicUrl: string, log: Log) {
  return (error: unknown, request: FastifyRequest, reply: FastifyReply): void => {
    if (error instanceof OAuthError) {
      sendOAuthError(error, request, reply);
      return;
    }
    const refusal = toFailure(error, request.id);
    if (refusal.code === 'INTERNAL_ERROR')
      log.error('fault', { requestId: request.id, route: routePattern(request), error });
    sendFailure(refusal, request, reply, publicUrl);
  };
}

export function sendFailure(refusal: Failure, request: FastifyRequest, reply: FastifyReply, publicUrl: string): void {
  const { status, headers, body } = speaksOAuth(request.url)
    ? writeOAuthFailure(refusal, publicUrl)
    : failure(request.language, refusal, publicUrl);
  request.failed = { code: refusal.code, quota: refusal.detail.policy?.name };
  request.failureCause = refusal.cause;
  reply.code(status).headers(headers).type(jsonType).send(body);
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
