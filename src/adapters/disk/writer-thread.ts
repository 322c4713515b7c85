// Entry of the thread that places files on the disk. It waits for the disk, so that no thread that answers requests does.
import { parentPort, workerData } from 'node:worker_threads';
import { createPlaceFiles, type PlaceOrder } from './place-files.ts';

if (parentPort !== null) {
  const port = parentPort;
  const placeFiles = createPlaceFiles(workerData as SharedArrayBuffer);
  port.on('message', (orders: readonly PlaceOrder[]) => port.postMessage(placeFiles(orders)));
}
