// The back end: checks access tokens, receives webhooks, and keeps files for its users with a service key.
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { createService, GatehouseError, verifyWebhook } from '@gatehouse/client/service';
import { createVerifier } from '@gatehouse/client/verifier';
import express from 'express';
import { createLog } from './log.js';
import { writeReport } from './report.js';

const { PORT = '3000', GATEHOUSE_URL = '', SERVICE_KEY_FILE = '', WEBHOOK_SECRET_FILE = '' } = process.env;
const secret = readFileSync(WEBHOOK_SECRET_FILE, 'utf8').trim();
const service = createService({ url: GATEHOUSE_URL, key: readFileSync(SERVICE_KEY_FILE, 'utf8').trim() });
const { verify } = createVerifier({ issuer: GATEHOUSE_URL });
const log = createLog();
const app = express().disable('x-powered-by');

// Before any parser of JSON: the signature is over the bytes as they came.
app.post('/hooks/gatehouse', express.raw({ type: 'application/json' }), async (request, response) => {
  log.add(await verifyWebhook(request.headers, request.body, { secret }));
  response.status(204).end();
});

// Every route below needs a valid access token. The check asks Gatehouse nothing: it has the public keys.
app.use('/api', async (request, response, next) => {
  const { sub } = await verify(request.headers.authorization);
  response.locals.userId = sub;
  response.set('cache-control', 'no-store');
  next();
});

app.get('/api/me', async (_request, response) => {
  const { phone, createdAt } = await service.users.get(response.locals.userId);
  response.json({ phone, createdAt, events: log.of(response.locals.userId) });
});

app.get('/api/files', async (_request, response) => {
  const files = [];
  for await (const { id, name, size } of service.files.list(response.locals.userId)) files.push({ id, name, size });
  response.json({ files });
});

// The server makes a file, and Gatehouse keeps it for the user: it passes the same checks as an upload by the user.
app.post('/api/reports', async (_request, response) => {
  const { userId } = response.locals;
  const user = await service.users.get(userId);
  const report = new Blob([writeReport(user, new Date())], { type: 'text/csv' });
  const { id, name } = await service.files.upload(userId, report, { purpose: 'document', name: 'report.csv' });
  response.status(201).json({ id, name });
});

app.get('/api/files/:id', async (request, response) => {
  const { userId, name } = await service.files.get(request.params.id);
  // A service key reads the files of all users, so the back end must ask whose file it is.
  if (userId !== response.locals.userId) return response.status(404).json({ code: 'FILE_NOT_FOUND' });
  const content = await service.files.content(request.params.id);
  return response.attachment(name ?? 'file').send(Buffer.from(await content.arrayBuffer()));
});

app.use((_request, response, next) => {
  response.set('content-security-policy', policy).set('x-content-type-options', 'nosniff');
  next();
});
app.get('/settings.json', (_request, response) => response.json({ gatehouse: GATEHOUSE_URL }));
app.use('/client', express.static(dirname(fileURLToPath(import.meta.resolve('@gatehouse/client')))));
app.use(express.static(join(import.meta.dirname, 'public')));

app.use((error, _request, response, next) => {
  if (!(error instanceof GatehouseError)) return next(error);
  return response.status(error.status || 503).json({ code: error.code });
});

const policy = `default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; worker-src 'self'; connect-src 'self' ${GATEHOUSE_URL}; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`;
const server = app.listen(Number(PORT), 'localhost');
for (const event of ['SIGTERM', 'SIGINT', 'disconnect'])
  process.once(event, () => {
    server.closeAllConnections();
    server.close(() => process.exit(0));
  });
