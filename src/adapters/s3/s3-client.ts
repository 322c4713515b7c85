// Asks S3: signs, sends, hands the answer to whoever can judge it, and tries again while that may help.
import { hash } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { ByteReader } from '../../files/media-type.ts';
import { readText } from './s3-body.ts';
import { type Outcome, refused, retry, type Trouble, unavailable } from './s3-outcome.ts';
import type { S3Place } from './s3-place.ts';
import { createS3Signer } from './s3-signer.ts';
import { createTransport, type S3Timing } from './s3-transport.ts';

export type Order = {
  readonly method: 'GET' | 'HEAD' | 'PUT' | 'DELETE';
  /** The bucket itself when left out. */
  readonly id?: string;
  readonly query?: Record<string, string>;
  readonly headers?: Record<string, string>;
  readonly body?: { readonly reader: ByteReader; readonly sha256: string };
  /** The server may need as long for its answer as for a body. */
  readonly isSlow?: boolean;
};

export type S3Client = {
  readonly place: S3Place;
  readonly idleMilliseconds: number;
  /** Every order may be carried out twice; `judge` owns the answer and reads or destroys it. */
  ask<T>(order: Order, judge: (response: IncomingMessage) => Promise<Outcome<T>>): Promise<T>;
  /** What to make of an answer that is not the wanted one. */
  refuse(order: Order, response: IncomingMessage): Promise<Trouble>;
  signUrl(id: string, query: Record<string, string>, seconds: number, signedAt: number): Promise<string>;
};

const emptySha256 = hash('sha256', '', 'hex');

export function createS3Client(place: S3Place, timing: S3Timing): S3Client {
  const signer = createS3Signer(place);
  const carry = createTransport(place.origin, timing);
  const { idleMilliseconds, answerMilliseconds, retryPausesMilliseconds } = timing;
  return {
    place,
    idleMilliseconds,
    ask: (order, judge) =>
      retry(retryPausesMilliseconds, async () => {
        const key = order.id === undefined ? '' : `${place.prefix}${order.id}`;
        const { method, query = {}, body } = order;
        const { path, headers } = await signer.signHead({
          method,
          key,
          query,
          payloadSha256: body?.sha256 ?? emptySha256,
        });
        const carried = await carry({
          method,
          path,
          headers: { ...order.headers, ...headers },
          body: body?.reader,
          answerMilliseconds: order.isSlow ? idleMilliseconds : answerMilliseconds,
        });
        if ('problem' in carried) return unavailable(`S3 ${nameOf(order)}: ${carried.problem}`, carried.isPassing);
        return judge(carried.response);
      }),
    refuse: async (order, response) => {
      const text = await readText(response, answerMilliseconds);
      return refused(nameOf(order), response.statusCode ?? 0, text ?? '');
    },
    signUrl: (id, query, seconds, signedAt) =>
      signer.signUrl({ key: `${place.prefix}${id}`, query, seconds, signedAt }),
  };
}

export function nameOf(order: Order): string {
  return `${order.method} ${order.id ?? 'bucket'}`;
}
