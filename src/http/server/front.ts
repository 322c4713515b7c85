// Node's HTTP server with our bounds, on which somebody answers: at once, or after the service has started.
import { createServer, type RequestListener, type Server } from 'node:http';
import { holdContinue } from './expect-continue.ts';
import { answerParserError } from './raw-errors.ts';
import { createSecurityHeaders } from './security-headers.ts';

const headersMilliseconds = 10_000;
/** Longer than the minute for which balancers keep theirs: of two ends that close an idle connection, the caller's must be the first. */
const keepAliveMilliseconds = 65_000;
/** Held of a body that nobody takes yet. In chunks of one byte it takes some hundred times as much memory. */
const heldBytes = 4 * 1024;

export type Front = {
  readonly server: Server;
  /** Who answers requests from now on, or from when the service has started. */
  take(answer: RequestListener): void;
};

export function createFront(publicUrl: string): Front {
  const server = createNodeServer(publicUrl);
  return { server, take: (answer) => void server.on('request', answer) };
}

export function createNodeServer(publicUrl: string): Server {
  const headers = createSecurityHeaders(publicUrl.startsWith('https:'));
  const server = createServer({
    requireHostHeader: false,
    headersTimeout: headersMilliseconds,
    requestTimeout: 0,
    connectionsCheckingInterval: 1000,
    keepAliveTimeout: keepAliveMilliseconds,
    highWaterMark: heldBytes,
  });
  server.on('clientError', (error: NodeJS.ErrnoException, socket) =>
    answerParserError(error, socket, headers, publicUrl),
  );
  holdContinue(server);
  return server;
}
