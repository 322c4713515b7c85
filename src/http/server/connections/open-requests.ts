// The requests of a server that are being answered, for a stop that waits for them no longer.
import type { Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { HttpReply } from '../reply.ts';
import type { HttpRequest } from '../request.ts';
import { openAnswers } from './open-answers.ts';

type OpenRequest = { readonly request: HttpRequest; readonly reply: HttpReply };

const openKey = Symbol('the request of the answer');

type OpenResponse = ServerResponse & { [openKey]?: OpenRequest };

const connections = new WeakMap<Server, Set<Socket>>();

/** Call this before the server listens. */
export function noteConnections(server: Server): void {
  const sockets = new Set<Socket>();
  connections.set(server, sockets);
  server.on('connection', (socket: Socket) => {
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
  });
}

export function noteOpen(response: ServerResponse, open: OpenRequest): void {
  (response as OpenResponse)[openKey] = open;
}

/** Those whose answer has not begun, in the order of each connection. */
export function unansweredRequests(server: Server): OpenRequest[] {
  return [...(connections.get(server) ?? [])]
    .flatMap(openAnswers)
    .map((response: OpenResponse) => response[openKey])
    .filter((open) => open !== undefined && !open.reply.isSent && !open.reply.isGone) as OpenRequest[];
}
