// Holds back `100 Continue` until someone wants the body, so that a refusal comes before the first byte of it.
import type { IncomingMessage, Server, ServerResponse } from 'node:http';

const held = new WeakMap<IncomingMessage, ServerResponse>();

export function holdContinue(server: Server): void {
  server.on('checkContinue', (request: IncomingMessage, response: ServerResponse) => {
    held.set(request, response);
    server.emit('request', request, response);
  });
  // Other expectations are ignored, as RFC 9110 section 10.1.1 allows: the request is answered on its merits.
  server.on('checkExpectation', (request: IncomingMessage, response: ServerResponse) => {
    server.emit('request', request, response);
  });
}

/** To be called right before a body is read. */
export function allowContinue(request: IncomingMessage): void {
  const response = held.get(request);
  held.delete(request);
  if (response !== undefined && !response.headersSent) response.writeContinue();
}
