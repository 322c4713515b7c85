// What nginx asks before it gives a file: whether the bearer token is one it knows.
import { createServer } from 'node:http';
import { readSettings, serve } from './served.ts';

const known = new Set([`Bearer ${readSettings().token}`]);

serve(
  createServer((incoming, response) => {
    response.statusCode = known.has(incoming.headers.authorization ?? '') ? 204 : 401;
    response.end();
  }),
);
