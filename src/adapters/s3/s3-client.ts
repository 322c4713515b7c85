// Asks S3: signs, sends, hands the answer to whoever can judge it, and tries again while that may help.
import { hash } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { Failure } from '../../kernel/failure.ts';
import type { StorageRefusal } from '../../kernel/metrics.ts';
import type { ByteReader } from '../../media/media-type.ts';
import { readText } from './s3-body.ts';
import { type Outcome, type ReportRefusal, refused, retry, type S3Problem, unavailable } from './s3-outcome.ts';
import type { S3Place } from './s3-place.ts';
import { createS3Signer, type S3Signer } from './s3-signer.ts';
import { createTransport, type Message, type S3Timing } from './s3-transport.ts';

export type Order = {
  readonly method: 'GET' | 'HEAD' | 'PUT' | 'DELETE';
  /** The bucket itself when left out. */
  readonly id?: string;
  readonly query?: Record<string, string>;
  readonly headers?: Record<string, string>;
  readonly body?: { readonly reader: ByteReader; readonly sha256: string };
  /** The server may need as long for its answer as for a body. */
  readonly isSlow?: boolean;
  /** Aborted when nobody waits for it any more. */
  readonly signal?: AbortSignal | undefined;
};

export type S3Client = {
  readonly place: S3Place;
  readonly idleMilliseconds: number;
  /** Every order may be carried out twice; `judge` owns the answer and reads or destroys it. */
  ask<T>(order: Order, judge: (response: IncomingMessage) => Promise<Outcome<T>>): Promise<T>;
  /** What to make of an answer that is not the wanted one. */
  refuse(order: Order, response: IncomingMessage): Promise<S3Problem>;
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
    ask: (order, judge) =>
      retry(
        timing.retryPausesMilliseconds,
        async () => {
          const carried = await transport(await sign(signer, place, order, timing));
          const outcome =
            'problem' in carried
              ? unavailable(`S3 ${nameOf(order)}: ${carried.problem}`, carried.reason, carried.isPassing)
              : await judge(carried.response);
          if ('failure' in outcome && !isAbandoned(order))
            report({ act: actOf(order), reason: outcome.reason, detail: detailOf(outcome) });
          return outcome;
        },
        order.signal,
      ),
    refuse: async (order, response) => {
      const text = await readText(response, timing.answerMilliseconds);
      return refused(nameOf(order), response.statusCode ?? 0, text ?? '');
    },
    signUrl: (id, query, seconds, signedAt) =>
      signer.signUrl({ key: `${place.prefix}${id}`, query, seconds, signedAt }),
  };
}

/** Signed anew for every try: a signature is good for some minutes only. */
async function sign(signer: S3Signer, place: S3Place, order: Order, timing: S3Timing): Promise<Message> {
  const { method, id, query = {}, body, isSlow } = order;
  const key = id === undefined ? '' : `${place.prefix}${id}`;
  const { path, headers } = await signer.signHead({ method, key, query, payloadSha256: body?.sha256 ?? emptySha256 });
  return {
    method,
    path,
    headers: { ...order.headers, ...headers },
    body: body?.reader,
    answerMilliseconds: isSlow ? timing.idleMilliseconds : timing.answerMilliseconds,
    signal: order.signal,
  };
}

/** The client has gone: that is no trouble of the storage. */
function isAbandoned({ signal }: Order): boolean {
  return signal?.reason instanceof Failure && signal.reason.code === 'FILE_INCOMPLETE';
}

function actOf({ method, id }: Order): StorageRefusal['act'] {
  return id === undefined ? 'list' : acts[method];
}

function detailOf({ failure }: S3Problem): string {
  return failure.cause instanceof Error ? failure.cause.message : failure.code;
}

export function nameOf(order: Order): string {
  return `${order.method} ${order.id ?? 'bucket'}`;
}
