// `npm run example -- react-spa`: starts Gatehouse, and Vite for the app.
import { join } from 'node:path';
import { installReact } from '../start/install-react.ts';
import { startExample } from '../start/start-example.ts';

await startExample({
  name: 'react-spa',
  title: 'Photo album',
  prepare: installReact,
  app: ({ folder, data, ports, urls }) => ({
    args: [join(folder, 'dev-server.ts')],
    cwd: folder,
    env: { PORT: String(ports.app), VITE_GATEHOUSE_URL: urls.gatehouse, CACHE: join(data, 'vite') },
  }),
});
