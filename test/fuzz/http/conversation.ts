// Sends pipelined requests over one connection after the other and assigns each its answer.
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import type { RawReply } from '../../helpers/requests/raw-request.ts';
import type { FuzzCase } from './draft.ts';
import { createReplyReader } from './reply-reader.ts';

/** All answers to one request: none if the connection was closed, several if its framing made several requests of it. */
export type Judge = (request: FuzzCase, replies: readonly RawReply[], milliseconds: number) => void;

const mostTogether = 12;
const mostBytes = 128 * 1024;
const patienceMilliseconds = 20_000;

export async function converse(url: string, requests: Iterable<FuzzCase>, judge: Judge): Promise<void> {
  const waiting = groupsOf(requests);
  let socket: Socket | undefined;
  let unanswered: FuzzCase[] = [];
  for (;;) {
    const group = unanswered.length > 0 ? unanswered : waiting.next().value;
    if (group === undefined) break;
    socket ??= await open(url);
    const { answered, isOver } = await exchange(socket, group, judge);
    if (isOver) {
      socket.destroy();
      socket = undefined;
    }
    // If the first request gets no answer, that is its result. The others are sent again.
    if (answered === 0 && isOver) judge(group[0] as FuzzCase, [], 0);
    unanswered = group.slice(Math.max(1, answered));
    if (!isOver && unanswered.length > 0) throw new Error('an exchange ended before its time');
  }
  socket?.destroy();
}

function* groupsOf(requests: Iterable<FuzzCase>): Generator<FuzzCase[], undefined> {
  let group: FuzzCase[] = [];
  let size = 0;
  for (const request of requests) {
    const isFull = group.length === mostTogether || size + request.bytes.length > mostBytes;
    if (group.length > 0 && (isFull || request.isAlone)) {
      yield group;
      group = [];
      size = 0;
    }
    group.push(request);
    size += request.bytes.length;
    if (!request.isAlone) continue;
    yield group;
    group = [];
    size = 0;
  }
  if (group.length > 0) yield group;
}

async function open(url: string): Promise<Socket> {
  const { hostname, port } = new URL(url);
  const socket = connect({ host: hostname, port: Number(port), allowHalfOpen: true, noDelay: true });
  await once(socket, 'connect');
  socket.on('error', () => undefined);
  return socket;
}

type Outcome = { answered: number; isOver: boolean };

function exchange(socket: Socket, group: readonly FuzzCase[], judge: Judge): Promise<Outcome> {
  const begin = performance.now();
  const isOdd = group[0]?.isHalfClosed === true;
  const oddReplies: RawReply[] = [];
  let [begun, answered] = [0, 0];
  const reader = createReplyReader(() => (isOdd ? 'GET' : (group[begun++]?.method ?? 'GET')));
  return new Promise((resolve, reject) => {
    const finish = (isOver: boolean, error?: Error) => {
      clearTimeout(timer);
      socket.off('data', onData).off('end', onEnd).off('close', onEnd);
      if (error !== undefined) return reject(error);
      if (isOdd) judgeOdd();
      resolve({ answered, isOver });
    };
    /** All answers belong to it, because it was sent alone and half-closed. */
    const judgeOdd = () => {
      answered = 1;
      judge(group[0] as FuzzCase, oddReplies, performance.now() - begin);
    };
    const fail = (why: string) => finish(true, new Error(`${why}: ${group[answered]?.name}`));
    const timer = setTimeout(() => fail('no answer in time'), patienceMilliseconds);
    const onEnd = () => (reader.rest() > 0 && !isOdd ? fail('half an answer') : finish(true));
    const onData = (bytes: Buffer) => {
      try {
        for (const reply of reader.take(bytes)) {
          if (isOdd) {
            oddReplies.push(reply);
            continue;
          }
          const request = group[answered];
          if (request === undefined) return fail('an answer without a request');
          answered += 1;
          judge(request, [reply], performance.now() - begin);
          if (reply.headers.connection === 'close') return finish(true);
        }
      } catch (error) {
        return finish(true, new Error(`${(error as Error).message} in the answer to ${group[answered]?.name}`));
      }
      if (!isOdd && answered === group.length) finish(reader.rest() > 0);
    };
    socket.on('data', onData).on('end', onEnd).on('close', onEnd);
    if (socket.destroyed || socket.readableEnded) return finish(true);
    socket.write(Buffer.concat(group.map(({ bytes }) => bytes)));
    if (isOdd) socket.end();
  });
}
