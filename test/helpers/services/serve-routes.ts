// Serves some routes over HTTP without the rest of the service, and asks them.
import { type IncomingHttpHeaders, type IncomingMessage, request } from 'node:http';
import { buffer } from 'node:stream/consumers';
import type { AnsweredRequest } from '../../../src/http/server/answered-request.ts';
import { createClientAddress } from '../../../src/http/server/client-address.ts';
import { createListener } from '../../../src/http/server/connections/listener.ts';
import { type AddedRoute, createHttpServer, type Routes } from '../../../src/http/server/server.ts';
import { memoryLog } from '../blobs/memory-files.ts';

type ServedAnswer = {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  /** As it was sent: it may be compressed. */
  readonly body: Buffer;
  readonly text: string;
};

type ServedRoutes = {
  readonly routes: readonly AddedRoute[];
  readonly url: string;
  /** The lines of the log. */
  readonly lines: readonly unknown[];
  /** Every answer that was given to the metrics. */
  readonly answers: readonly AnsweredRequest[];
  ask(path: string, headers?: Readonly<Record<string, string>>, method?: 'GET' | 'HEAD'): Promise<ServedAnswer>;
  close(): Promise<void>;
};

export async function serveRoutes(register: (routes: Routes) => void): Promise<ServedRoutes> {
  const publicUrl = 'http://127.0.0.1';
  const { log, lines } = memoryLog();
  const answers: AnsweredRequest[] = [];
  const server = createHttpServer({
    front: createListener(publicUrl),
    publicUrl,
    clientAddress: createClientAddress([]),
    corsOrigins: [],
    countAddress: () => undefined,
    log,
    onAnswered: (answer) => void answers.push(answer),
    isStopping: () => false,
  });
  const routes: AddedRoute[] = [];
  const add = (route: AddedRoute) => {
    routes.push(route);
    server.add(route);
  };
  register({ add, get: (path, handle) => add({ method: 'GET', path, handle }) });
  const url = await server.listen({ host: '127.0.0.1', port: 0 });
  return {
    routes,
    url,
    lines,
    answers,
    ask: async (path, headers = {}, method = 'GET') => {
      const response = await new Promise<IncomingMessage>((resolve, reject) => {
        request(url + path, { headers, method, agent: false }, resolve)
          .on('error', reject)
          .end();
      });
      const body = await buffer(response);
      return { status: response.statusCode ?? 0, headers: response.headers, body, text: body.toString() };
    },
    close: () => server.close(),
  };
}
