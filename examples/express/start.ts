// `npm run example -- express`: starts Gatehouse and the Express back end.
import { rmSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { installClient } from '../start/install-client.ts';
import { keepServiceKey, keepWebhookSecret } from '../start/keep-secrets.ts';
import { type Place, project } from '../start/place.ts';
import { startExample } from '../start/start-example.ts';

await startExample({
  name: 'express',
  title: 'Reports',
  prepare: install,
  gatehouseEnv: (place) => ({
    WEBHOOK_URL: `${place.urls.app}/hooks/gatehouse`,
    WEBHOOK_SECRET_FILE: keepWebhookSecret(place),
  }),
  app: async (place) => ({
    args: [join(place.folder, 'server.js')],
    cwd: place.data,
    env: {
      PORT: String(place.ports.app),
      GATEHOUSE_URL: place.urls.gatehouse,
      SERVICE_KEY_FILE: await keepServiceKey(place, ['users:read', 'files:read', 'files:write']),
      WEBHOOK_SECRET_FILE: keepWebhookSecret(place),
    },
  }),
});

/** The client, and Express: the project has it under another name. */
async function install(place: Place): Promise<void> {
  await installClient(place);
  const installed = join(place.folder, 'node_modules/express');
  rmSync(installed, { recursive: true, force: true });
  symlinkSync(join(project, 'node_modules/recipe-express'), installed, 'junction');
}
