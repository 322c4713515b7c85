// `npm run example -- python`: starts Gatehouse and the Python back end.
import { join } from 'node:path';
import { installClient } from '../start/install-client.ts';
import { keepServiceKey, keepWebhookSecret } from '../start/keep-secrets.ts';
import { startExample } from '../start/start-example.ts';

await startExample({
  name: 'python',
  title: 'Cloud folder',
  prepare: installClient,
  gatehouseEnv: (place) => ({
    WEBHOOK_URL: `${place.urls.app}/hooks/gatehouse`,
    WEBHOOK_SECRET_FILE: keepWebhookSecret(place),
  }),
  app: async (place) => ({
    command: 'python3',
    args: ['-B', join(place.folder, 'server.py')],
    cwd: place.data,
    env: {
      PORT: String(place.ports.app),
      GATEHOUSE_URL: place.urls.gatehouse,
      SERVICE_KEY_FILE: await keepServiceKey(place, ['users:read', 'files:read', 'files:write']),
      WEBHOOK_SECRET_FILE: keepWebhookSecret(place),
    },
  }),
});
