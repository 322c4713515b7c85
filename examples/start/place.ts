// Where an example listens and where it keeps its data. The environment can change each of them.
import { mkdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

export const project = fileURLToPath(new URL('../../', import.meta.url));

export type Place = ReturnType<typeof placeOf>;

/** `name`: the folder of the example. */
export function placeOf(name: string) {
  const { EXAMPLE_PORT = '3000', GATEHOUSE_PORT = '8080', EXAMPLE_DATA } = process.env;
  const folder = join(project, 'examples', name);
  const data = resolve(EXAMPLE_DATA ?? join(folder, 'data'));
  mkdirSync(data, { recursive: true, mode: 0o700 });
  const ports = { app: Number(EXAMPLE_PORT), gatehouse: Number(GATEHOUSE_PORT) };
  /** Both on one host: they are the same site, so the cookies of Gatehouse reach the app too. */
  const urls = { app: `http://localhost:${ports.app}`, gatehouse: `http://localhost:${ports.gatehouse}` };
  return {
    name,
    folder,
    data,
    ports,
    urls,
    /** Gatehouse in local mode: it sends nothing, and its inbox shows every message. */
    gatehouseEnv: {
      HOST: 'localhost',
      PORT: String(ports.gatehouse),
      PUBLIC_URL: urls.gatehouse,
      DATA_DIR: join(data, 'gatehouse'),
      METRICS_PORT: 'off',
      LOG_LEVEL: 'warn',
      // As in production: the client solves it while the user types.
      CAPTCHA_URL: 'altcha:',
      CORS_ORIGINS: urls.app,
    },
  } as const;
}
