// Entry of the store's thread: a thread does not share the compile cache of the process, so it turns it on before it loads the rest.
import { enableCompileCache } from 'node:module';
import { parentPort, workerData } from 'node:worker_threads';

enableCompileCache();
const { serveDatabase } = await import('./sqlite-server.ts');
if (parentPort !== null) serveDatabase(parentPort, (workerData as { path: string }).path);
