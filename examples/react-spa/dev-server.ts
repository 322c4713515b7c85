// Vite's server for development, as `npx vite` would start it. It ends with the process that started it.
import { createServer } from 'vite';

const { PORT = '3000', CACHE = 'node_modules/.vite' } = process.env;

const server = await createServer({
  root: import.meta.dirname,
  cacheDir: CACHE,
  server: { port: Number(PORT), strictPort: true, host: 'localhost' },
  esbuild: { jsx: 'automatic' },
  // The client must stay beside its captcha worker.
  optimizeDeps: { exclude: ['@gatehouse/client'] },
});
await server.listen();
for (const event of ['SIGTERM', 'SIGINT', 'disconnect'] as const)
  process.once(event, () => void server.close().then(() => process.exit(0)));
