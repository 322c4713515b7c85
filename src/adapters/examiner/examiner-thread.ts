// The thread that examines uploads: however hostile a file is, it holds up nobody's request, and what it breaks is this thread.
import { parentPort } from 'node:worker_threads';
import { serveOrders } from './serve-orders.ts';

if (parentPort !== null) serveOrders(parentPort);
