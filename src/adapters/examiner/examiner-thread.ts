// Entry of the thread that examines uploads. A hostile file cannot block requests, and can crash only this thread.
import { parentPort } from 'node:worker_threads';
import { serveOrders } from './serve-orders.ts';

if (parentPort !== null) serveOrders(parentPort);
