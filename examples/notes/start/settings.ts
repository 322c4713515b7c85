// Where the example listens and where it keeps its data. The environment can change each of them.
import { mkdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

export const project = fileURLToPath(new URL('../../../', import.meta.url));
export const example = fileURLToPath(new URL('../', import.meta.url));

const { NOTES_PORT = '3000', GATEHOUSE_PORT = '8080', NOTES_DATA } = process.env;

export const ports = { notes: Number(NOTES_PORT), gatehouse: Number(GATEHOUSE_PORT) };
/** Both on one host: the cookies of Gatehouse reach the app too. */
export const urls = { notes: `http://localhost:${ports.notes}`, gatehouse: `http://localhost:${ports.gatehouse}` };

export const data = resolve(NOTES_DATA ?? join(example, 'data'));
mkdirSync(data, { recursive: true, mode: 0o700 });
export const files = {
  gatehouse: join(data, 'gatehouse'),
  notebook: join(data, 'notebook.sqlite'),
  serviceKey: join(data, 'service-key'),
  webhookSecret: join(data, 'webhook-secret'),
  client: join(example, 'node_modules/@gatehouse/client'),
};

/** Gatehouse in local mode: it sends nothing, and its inbox shows every message. */
export const gatehouseEnv = {
  HOST: 'localhost',
  PORT: String(ports.gatehouse),
  PUBLIC_URL: urls.gatehouse,
  DATA_DIR: files.gatehouse,
  METRICS_PORT: 'off',
  LOG_LEVEL: 'warn',
  // As in production: the client solves it while the user types.
  CAPTCHA_URL: 'altcha:',
  CORS_ORIGINS: urls.notes,
  PURPOSES_FILE: join(example, 'purposes.json'),
  WEBHOOK_URL: `${urls.notes}/hooks/gatehouse`,
  WEBHOOK_SECRET_FILE: files.webhookSecret,
};

export const notesEnv = {
  PORT: String(ports.notes),
  GATEHOUSE_URL: urls.gatehouse,
  SERVICE_KEY_FILE: files.serviceKey,
  WEBHOOK_SECRET_FILE: files.webhookSecret,
  NOTEBOOK_FILE: files.notebook,
};
