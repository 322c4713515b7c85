// Node's HTTP server with our limits. The service can take its requests at once, or after its start.
import { createServer, type RequestListener, type Server } from 'node:http';
import { holdContinue } from './expect-continue.ts';
import { answerParserError, newestAnswer } from './raw-errors.ts';
import { createSecurityHeaders } from './security-headers.ts';
import { type ServerTimes, serverTimes } from './server-times.ts';

/** Buffered bytes of a body that is not read yet. Split into chunks of one byte, they need about a hundred times as much memory. */
const bufferedBytes = 4 * 1024;

export type Listener = {
  readonly server: Server;
  /** Sets the listener that answers requests: from now on, or from the end of the service's start. */
  take(answer: RequestListener): void;
};

export function createListener(publicUrl: string, times: ServerTimes = serverTimes): Listener {
  const server = createNodeServer(publicUrl, times);
  return { server, take: (answer) => void server.on('request', answer) };
}

export function createNodeServer(publicUrl: string, times: ServerTimes = serverTimes): Server {
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
  return server;
}
