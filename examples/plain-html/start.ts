// `npm run example -- plain-html`: starts Gatehouse and a small server for the three files of the page.
import { join } from 'node:path';
import { startExample } from '../start/start-example.ts';

await startExample({
  name: 'plain-html',
  title: 'Drop box',
  app: ({ folder, data, ports, urls }) => ({
    args: [join(folder, 'server.ts')],
    cwd: data,
    env: { PORT: String(ports.app), GATEHOUSE_URL: urls.gatehouse },
  }),
});
