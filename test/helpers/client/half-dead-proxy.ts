// A proxy in front of a service that can stop to pass requests on: it answers itself, never answers, or loses the answer.
import { once } from 'node:events';
import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/**
 * `pass`: through to the service. `hang`: takes the request and never answers. `lose`: the service answers, and the connection breaks. A
 * number: its own page with this status. An object: its own JSON with the status 401.
 */
export type Mood = 'pass' | 'hang' | 'lose' | number | object;

export type HalfDeadProxy = Awaited<ReturnType<typeof openHalfDeadProxy>>;

export async function openHalfDeadProxy(target: string) {
  const moods = new Map<string, Mood>();
  const lines: { readonly line: string; readonly headers: IncomingMessage['headers'] }[] = [];
  const hanging = new Set<IncomingMessage>();
  let usual: Mood = 'pass';
  const server = createServer((asked, answer) => {
    const line = `${asked.method} ${(asked.url ?? '').split('?')[0]}`;
    lines.push({ line, headers: asked.headers });
    const mood = moods.get(line) ?? usual;
    asked.on('error', () => undefined);
    if (mood === 'pass' || mood === 'lose') pass(target, asked, answer, mood === 'lose');
    else if (mood === 'hang') hanging.add(asked.resume());
    else if (typeof mood === 'number') answer.writeHead(mood, { 'content-type': 'text/html' }).end('<h1>Portal</h1>');
    else answer.writeHead(401, { 'content-type': 'application/json' }).end(JSON.stringify(mood));
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    lines,
    count: (line: string) => lines.filter((other) => other.line === line).length,
    /** For one line, such as `GET /api/auth/me`, or for all that have no mood of their own. */
    set: (mood: Mood, line?: string) => {
      if (line === undefined) usual = mood;
      else moods.set(line, mood);
    },
    /** Passes everything on again, and breaks the connections that hang. */
    recover: () => {
      moods.clear();
      usual = 'pass';
      for (const asked of hanging) asked.destroy();
      hanging.clear();
    },
    close: () => {
      server.close();
      server.closeAllConnections();
    },
  };
}

function pass(target: string, asked: IncomingMessage, answer: ServerResponse, isLost: boolean): void {
  const { host, ...headers } = asked.headers;
  const { method } = asked;
  const onward = request(new URL(asked.url ?? '/', target), { method, headers }, (got) => {
    if (isLost) {
      got.resume().on('end', () => answer.destroy());
      return;
    }
    answer.writeHead(got.statusCode ?? 502, got.headers);
    got.pipe(answer);
  });
  onward.on('error', () => answer.destroy());
  asked.pipe(onward);
}
