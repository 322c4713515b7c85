// Entry of the store's thread: serves the database file that it is told.
import { parentPort, workerData } from 'node:worker_threads';
import { serveDatabase } from './sqlite-server.ts';

if (parentPort !== null) serveDatabase(parentPort, (workerData as { path: string }).path);
