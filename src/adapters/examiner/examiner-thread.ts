// Entry of the thread that examines uploads. A hostile file cannot block requests, and can crash only this thread.
import { parentPort, workerData } from 'node:worker_threads';
import { serveTasks } from './serve-tasks.ts';

if (parentPort !== null) serveTasks(parentPort, workerData as SharedArrayBuffer);
