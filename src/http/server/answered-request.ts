// What happens after every answer: its line in the log, and its figures for the metrics.
import type { Log } from '../../kernel/process/telemetry.ts';
import type { HttpReply } from './reply.ts';
import { type AnsweredFailure, type HttpRequest, routePattern } from './request.ts';

export type AnsweredRequest = {
  readonly method: string;
  /** The pattern in the route table, not the path of the request. */
  readonly route: string;
  readonly status: number;
  readonly seconds: number;
  readonly failure: AnsweredFailure | undefined;
  /** Bytes of a stored file in the answer; 0 in any other. */
  readonly fileBytes: number;
};

type FinishParts = {
  readonly log: Log;
  readonly onAnswered: (answer: AnsweredRequest) => void;
};

export function createFinish({ log, onAnswered }: FinishParts) {
  return (request: HttpRequest, reply: HttpReply): void => {
    const answered: AnsweredRequest = {
      method: request.method,
      route: routePattern(request),
      status: reply.statusCode,
      seconds: (performance.now() - request.startedAt) / 1000,
      failure: request.failed,
      fileBytes: fileBytesOf(request, reply),
    };
    onAnswered(answered);
    const level = answered.status >= 500 ? 'warn' : 'info';
    if (log.isOn?.(level) !== false) log[level]('request', describe(request, answered));
  };
}

function describe({ id, oauthError, failureCause }: HttpRequest, answered: AnsweredRequest) {
  const { method, route, status, seconds, failure } = answered;
  return {
    requestId: id,
    method,
    route,
    status,
    seconds: Number(seconds.toFixed(6)),
    ...(failure !== undefined && { failure: failure.code }),
    ...(oauthError !== undefined && { oauthError }),
    // The reason for an answer of 5xx. Only the log gets it, never the client.
    ...(status >= 500 && failureCause instanceof Error && { cause: failureCause.message }),
  };
}

function fileBytesOf({ method, route }: HttpRequest, reply: HttpReply): number {
  if (route?.rules.servesFile !== true || method !== 'GET') return 0;
  return reply.statusCode === 200 || reply.statusCode === 206 ? Number(reply.getHeader('content-length') ?? 0) : 0;
}
