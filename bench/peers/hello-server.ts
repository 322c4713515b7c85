// The least that Node can answer over HTTP.
import { createServer } from 'node:http';
import { serve } from './served.ts';

serve(createServer((_, response) => response.end('hello')));
