// `npm run example -- notes`: starts Gatehouse and the notebook.
import { join } from 'node:path';
import { installClient } from '../start/install-client.ts';
import { keepServiceKey, keepWebhookSecret } from '../start/keep-secrets.ts';
import { startExample } from '../start/start-example.ts';

await startExample({
  name: 'notes',
  title: 'Team notes',
  prepare: installClient,
  gatehouseEnv: (place) => ({
    PURPOSES_FILE: join(place.folder, 'purposes.json'),
    WEBHOOK_URL: `${place.urls.app}/hooks/gatehouse`,
    WEBHOOK_SECRET_FILE: keepWebhookSecret(place),
  }),
  app: async (place) => ({
    args: [join(place.folder, 'back-end/server.ts')],
    cwd: place.data,
    env: {
      PORT: String(place.ports.app),
      GATEHOUSE_URL: place.urls.gatehouse,
      SERVICE_KEY_FILE: await keepServiceKey(place, ['users:read', 'users:write', 'files:read', 'events:read']),
      WEBHOOK_SECRET_FILE: keepWebhookSecret(place),
      NOTEBOOK_FILE: join(place.data, 'notebook.sqlite'),
    },
  }),
});
