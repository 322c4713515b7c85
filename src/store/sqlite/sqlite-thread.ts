// Entry of the store's thread: serves the database file that it is told.
import { parentPort, workerData } from 'node:worker_threads';
import type { StoreMeter } from '../engine/store-meter.ts';
import { serveDatabase } from './sqlite-server.ts';

type ThreadData = { readonly path: string; readonly endpoints: readonly string[]; readonly meter: StoreMeter };

const { path, endpoints, meter } = workerData as ThreadData;
if (parentPort !== null) serveDatabase(parentPort, path, endpoints, meter);
