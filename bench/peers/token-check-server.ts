// The check that nginx makes before it serves a file: whether the bearer token is known.
import { createServer } from 'node:http';
import { readSettings, serve } from './served.ts';

const known = new Set([`Bearer ${readSettings().token}`]);

serve(
  createServer((incoming, response) => {
    response.statusCode = known.has(incoming.headers.authorization ?? '') ? 204 : 401;
    response.end();
  }),
);
