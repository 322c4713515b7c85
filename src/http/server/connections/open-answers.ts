// Knows the answers of a connection that are not finished, and keeps their order if a CONNECT follows them.
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';

const newestKey = Symbol('the answer to the newest request of the connection');
const openKey = Symbol('the answers that a client which did not wait for them still gets');

type AnsweredSocket = Duplex & { [newestKey]?: ServerResponse; [openKey]?: Set<ServerResponse> };

/** Those that wait for the end of the start: they are noted, and their turn comes later. */
const held = new WeakSet<ServerResponse>();

export function noteHeld(response: ServerResponse): void {
  held.add(response);
}

export function wasHeld(response: ServerResponse): boolean {
  return held.has(response);
}

/** Call this for every request. A map by connection would cost every request more than a field of the connection. */
export function noteAnswer(socket: Duplex, response: ServerResponse): void {
  const noted: AnsweredSocket = socket;
  const earlier = noted[newestKey];
  noted[newestKey] = response;
  if (earlier === undefined || earlier.writableFinished) return;
  const open = noted[openKey] ?? new Set();
  noted[openKey] = open;
  for (const each of [earlier, response]) open.add(each.once('close', () => open.delete(each)));
}

export function newestAnswer(socket: Duplex): ServerResponse | undefined {
  return (socket as AnsweredSocket)[newestKey];
}

/** Those that the client does not have yet, in their order. */
export function openAnswers(socket: Duplex): ServerResponse[] {
  const newest = newestAnswer(socket);
  if (newest === undefined || newest.writableFinished) return [];
  return [...new Set([...((socket as AnsweredSocket)[openKey] ?? []), newest])];
}

/**
 * Calls `answer` when every earlier request of the connection has its whole answer. Node hands the connection over as soon as it reads a
 * CONNECT, and does nothing more for the answers before it: what it did is done here.
 */
export function afterEarlierAnswers({ socket }: Pick<IncomingMessage, 'socket'>, answer: () => void): void {
  // A reset by the client would otherwise end the process.
  socket.on('error', () => socket.destroy());
  const newest = newestAnswer(socket);
  if (newest === undefined || newest.writableFinished) {
    answer();
    return;
  }
  const open = openAnswers(socket);
  socket.on('drain', () => drained(open)?.emit('drain'));
  socket.on('timeout', () => socket.destroy());
  socket.on('end', () => socket.end());
  socket.on('close', () => {
    for (const each of open) each.destroy();
  });
  // Without reading on, nobody would notice that the client is gone.
  socket.resume();
  newest.once('finish', () => answerIfOpen(socket, answer));
}

/** The answer that is being sent, if it waits for the client. */
function drained(open: readonly ServerResponse[]): ServerResponse | undefined {
  return open.find((each) => each.socket !== null && each.writableNeedDrain);
}

/** An answer that says that the connection closes is the last one. */
function answerIfOpen(socket: Socket, answer: () => void): void {
  if (socket.writable) answer();
}
