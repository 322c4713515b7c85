// Node's HTTP server with our limits. The service can take its requests at once, or after its start.
import { createServer, type RequestListener, type Server } from 'node:http';
import type { Socket } from 'node:net';
import { createCrowd } from '../../../kernel/work/crowd.ts';
import { createClientAddress } from '../client-address.ts';
import { createSecurityHeaders } from '../security-headers.ts';
import { type ServerTimes, serverTimes } from '../server-times.ts';
import { holdContinue } from './expect-continue.ts';
import { createLetArrive } from './let-arrive.ts';
import { newestAnswer } from './open-answers.ts';
import { noteConnections } from './open-requests.ts';
import { answerParserError } from './raw-errors.ts';

/** Buffered bytes of a body that is not read yet. Split into chunks of one byte, they need about a hundred times as much memory. */
const bufferedBytes = 4 * 1024;
/** Of one process. Far more than it has in use, and fewer than the system has descriptors. */
const mostConnections = 10_000;

export type Listener = {
  readonly server: Server;
  /** Sets the listener that answers requests: from now on, or from the end of the service's start. */
  take(answer: RequestListener): void;
  /** Resolves when every connection that the system has received is accepted, and its request is read. */
  readonly letArrive: () => Promise<void>;
};

export function createListener(publicUrl: string, times: ServerTimes = serverTimes): Listener {
  const server = createNodeServer(publicUrl, times);
  return { server, take: (answer) => void server.on('request', answer), letArrive: createLetArrive(server) };
}

/** If there are too many connections, the network that has most loses its oldest one without a request. So no client keeps another out. */
export function createNodeServer(publicUrl: string, times: ServerTimes = serverTimes, most = mostConnections): Server {
  const headers = createSecurityHeaders(publicUrl.startsWith('https:'));
  const server = createServer({
    requireHostHeader: false,
    headersTimeout: times.headersMilliseconds,
    requestTimeout: 0,
    connectionsCheckingInterval: times.checkMilliseconds,
    keepAliveTimeout: times.keepAliveMilliseconds,
    highWaterMark: bufferedBytes,
    // A request without a body has no stream to end: `readBytes` and `bodyOf` find it ended.
    optimizeEmptyRequests: true,
  });
  server.on('clientError', (error: NodeJS.ErrnoException, socket) =>
    answerParserError(error, socket, headers, publicUrl, newestAnswer(socket)),
  );
  holdContinue(server);
  noteConnections(server);
  const connections = createCrowd(most);
  const networkOf = createClientAddress([]);
  server.on('connection', (socket: Socket) => {
    const expel = () => socket.destroy();
    const leave = connections.enter(networkOf(socket.remoteAddress, undefined), expel, () => isIdle(socket));
    socket.once('close', leave);
  });
  return server;
}

/** A client that has sent nothing yet may be about to. It loses less than one whose answer is under way. */
function isIdle(socket: Socket): boolean {
  const newest = newestAnswer(socket);
  return newest === undefined || newest.writableFinished;
}
