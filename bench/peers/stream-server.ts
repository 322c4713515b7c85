// The common way to serve a file: open a stream and pipe it into the answer.
import { createReadStream, statSync } from 'node:fs';
import { createServer } from 'node:http';
import { readSettings, serve } from './served.ts';

const { file = '' } = readSettings();
const { size } = statSync(file);

serve(
  createServer((_incoming, response) => {
    response.setHeader('content-length', size);
    createReadStream(file).pipe(response);
  }),
);
