// Entry point of the SQLite thread: serves the database file that workerData names.
import { parentPort, workerData } from 'node:worker_threads';
import type { StoreMeter } from '../engine/store-meter.ts';
import { serveDatabase } from './sqlite-server.ts';

type ThreadData = {
  readonly path: string;
  readonly endpoints: readonly string[];
  readonly meter: StoreMeter;
  readonly checksLocks: boolean;
  readonly mapsFile: boolean;
};

const { path, endpoints, meter, checksLocks, mapsFile } = workerData as ThreadData;
if (parentPort !== null) serveDatabase(parentPort, path, endpoints, meter, checksLocks, mapsFile);
