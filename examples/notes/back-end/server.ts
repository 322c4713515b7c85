// The back end of the notebook: serves the page, its API and the webhook receiver, and follows the events of Gatehouse.
import { readFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { createService } from '@gatehouse/client/service';
import { createApplyEvent } from './apply-event.ts';
import { createFindUser } from './find-user.ts';
import { catchUp } from './follow-events.ts';
import { createNames } from './names.ts';
import { openNotebook } from './notebook.ts';
import { createReceiver } from './receive-webhook.ts';
import { createRoutes } from './routes.ts';
import { createPages } from './serve-page.ts';

const {
  PORT = '3000',
  GATEHOUSE_URL = '',
  SERVICE_KEY_FILE = '',
  WEBHOOK_SECRET_FILE = '',
  NOTEBOOK_FILE = '',
} = process.env;
const origin = `http://localhost:${PORT}`;
const everyMinute = 60_000;

const service = createService({ url: GATEHOUSE_URL, key: readFileSync(SERVICE_KEY_FILE, 'utf8').trim() });
const notebook = openNotebook(NOTEBOOK_FILE);
const findUser = createFindUser(service, notebook);
const apply = createApplyEvent(notebook);
const receive = createReceiver(readFileSync(WEBHOOK_SECRET_FILE, 'utf8').trim(), apply);
const routes = createRoutes({ notebook, service, nameOf: createNames(service) });
const client = dirname(fileURLToPath(import.meta.resolve('@gatehouse/client')));
const sendPage = createPages(join(import.meta.dirname, '../front-end'), client, GATEHOUSE_URL);

// Before the first request: a user who was deleted while the app was down must not be seen any more.
await catchUp({ service, notebook, apply });
const timer = setInterval(() => catchUp({ service, notebook, apply }).catch(report), everyMinute);

const server = createServer((request, response) => {
  answer(request, response).catch((error: unknown) => fail(response, error));
});
server.listen(Number(PORT), 'localhost');
for (const event of ['SIGTERM', 'SIGINT', 'disconnect'] as const) process.once(event, stop);

async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const { method = '', headers } = request;
  const [path = ''] = (request.url ?? '').split('?');
  if (method === 'GET' && sendPage(path, response)) return;
  if (method === 'POST' && path === '/hooks/gatehouse') {
    await receive(request);
    return send(response, 204);
  }
  const [, api = '', id = ''] = /^(\/api\/[a-z]+)(?:\/(\d+))?$/.exec(path) ?? [];
  const route = routes[`${method} ${api}`];
  if (route === undefined) return void response.writeHead(404).end();
  // The token is in a cookie, so a page of another origin could make the browser send it.
  if (headers.origin !== undefined && headers.origin !== origin) return void response.writeHead(403).end();
  const data = await route({ request, id, user: await findUser(headers) });
  send(response, data === undefined ? 204 : 200, data);
}

function send(response: ServerResponse, status: number, data?: object): void {
  response.writeHead(status, { 'content-type': 'application/json', 'cache-control': 'no-store' });
  response.end(data === undefined ? undefined : JSON.stringify(data));
}

/** Errors of the verifier and of the routes have a status. Everything else is a fault of the app. */
function fail(response: ServerResponse, error: unknown): void {
  const status = error instanceof Error && 'status' in error ? Number(error.status) : 0;
  if (status < 400 || status > 499) report(error);
  const why = error instanceof Error && 'why' in error ? error.why : undefined;
  send(response, status >= 400 ? status : 500, { why });
}

function report(error: unknown): void {
  console.error('notes:', error instanceof Error ? error.message : error);
}

function stop(): void {
  clearInterval(timer);
  server.close(() => {
    notebook.close();
    process.exit(0);
  });
  server.closeAllConnections();
}
