// Delays `100 Continue` until the body is read, so that a refused client sends no body.
import type { IncomingMessage, Server, ServerResponse } from 'node:http';

const held = new WeakMap<IncomingMessage, ServerResponse>();

export function holdContinue(server: Server): void {
  server.on('checkContinue', (request: IncomingMessage, response: ServerResponse) => {
    held.set(request, response);
    server.emit('request', request, response);
  });
  // Other expectations are ignored, as RFC 9110 section 10.1.1 allows.
  server.on('checkExpectation', (request: IncomingMessage, response: ServerResponse) => {
    server.emit('request', request, response);
  });
}

/** Whether the client still waits for the word to send its body. */
export function isContinueHeld(request: IncomingMessage): boolean {
  return held.has(request);
}

/** Call this right before reading a body. */
export function allowContinue(request: IncomingMessage): void {
  const response = held.get(request);
  held.delete(request);
  if (response !== undefined && !response.headersSent) response.writeContinue();
}
