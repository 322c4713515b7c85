// Sends signed requests to S3, passes the response to the caller's `judge`, and retries while that may help.
import { hash } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { ByteReader } from '#media/media-type';
import { Failure } from '../../kernel/failure.ts';
import { readText } from './s3-body.ts';
import {
  type Outcome,
  type ReportRefusal,
  refused,
  retry,
  type S3Problem,
  type StorageRefusal,
  unavailable,
} from './s3-outcome.ts';
import type { S3Place } from './s3-place.ts';
import { createS3Signer, type S3Signer } from './s3-signer.ts';
import { createTransport, type Message, type S3Timing } from './s3-transport.ts';

export type S3Request = {
  readonly method: 'GET' | 'HEAD' | 'PUT' | 'DELETE';
  /** Without an id, the request is for the bucket. */
  readonly id?: string;
  readonly query?: Record<string, string>;
  readonly headers?: Record<string, string>;
  readonly body?: { readonly reader: ByteReader; readonly sha256: string };
  /** The response may take as long as `idleMilliseconds`. */
  readonly isSlow?: boolean;
  /** Aborted when the caller no longer waits for the result. */
  readonly signal?: AbortSignal | undefined;
};

export type S3Client = {
  readonly place: S3Place;
  readonly idleMilliseconds: number;
  /** May send a request more than once. `judge` owns the response, and must read or destroy it. */
  ask<T>(request: S3Request, judge: (response: IncomingMessage) => Promise<Outcome<T>>): Promise<T>;
  /** Turns an unexpected response into a problem. */
  refuse(request: S3Request, response: IncomingMessage): Promise<S3Problem>;
  signUrl(id: string, query: Record<string, string>, seconds: number, signedAt: number): Promise<string>;
};

const emptySha256 = hash('sha256', '', 'hex');

const acts = { GET: 'read', HEAD: 'read', PUT: 'keep', DELETE: 'remove' } as const;

export function createS3Client(place: S3Place, timing: S3Timing, report: ReportRefusal): S3Client {
  const signer = createS3Signer(place);
  const transport = createTransport(place.origin, timing);
  return {
    place,
    idleMilliseconds: timing.idleMilliseconds,
    ask: (request, judge) =>
      retry(
        timing.retryPausesMilliseconds,
        async () => {
          const result = await transport(await sign(signer, place, request, timing));
          const outcome =
            'problem' in result
              ? unavailable(`S3 ${nameOf(request)}: ${result.problem}`, result.reason, result.isPassing)
              : await judge(result.response);
          if ('failure' in outcome && !isAbandoned(request))
            report({ act: actOf(request), reason: outcome.reason, detail: detailOf(outcome) });
          return outcome;
        },
        request.signal,
      ),
    refuse: async (request, response) => {
      const text = await readText(response, timing.answerMilliseconds);
      return refused(nameOf(request), response.statusCode ?? 0, text ?? '');
    },
    signUrl: (id, query, seconds, signedAt) => signer.signUrl({ key: keyOf(place, id), query, seconds, signedAt }),
  };
}

/** A URL parser would take a segment of dots, or an empty one, for another object. */
function keyOf({ prefix }: S3Place, id: string): string {
  if (/(?:^|\/)\.{0,2}(?:\/|$)/.test(id)) throw new Error('not the key of an object');
  return `${prefix}${id}`;
}

/** Signs again for every attempt, because a signature is valid only for some minutes. */
async function sign(signer: S3Signer, place: S3Place, request: S3Request, timing: S3Timing): Promise<Message> {
  const { method, id, query = {}, body, isSlow } = request;
  const key = id === undefined ? '' : keyOf(place, id);
  const { path, headers } = await signer.signHead({ method, key, query, payloadSha256: body?.sha256 ?? emptySha256 });
  return {
    method,
    path,
    headers: { ...request.headers, ...headers },
    body: body?.reader,
    answerMilliseconds: isSlow ? timing.idleMilliseconds : timing.answerMilliseconds,
    signal: request.signal,
  };
}

/** The client has disconnected, so the problem is not a fault of the storage. */
function isAbandoned({ signal }: S3Request): boolean {
  return signal?.reason instanceof Failure && signal.reason.code === 'FILE_INCOMPLETE';
}

function actOf({ method, id }: S3Request): StorageRefusal['act'] {
  return id === undefined ? 'list' : acts[method];
}

function detailOf({ failure }: S3Problem): string {
  return failure.cause instanceof Error ? failure.cause.message : failure.code;
}

export function nameOf(request: S3Request): string {
  return `${request.method} ${request.id ?? 'bucket'}`;
}
