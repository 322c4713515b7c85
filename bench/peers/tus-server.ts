// @tus/server with its file store: it accepts every file, without a hash and without an examination.
import { createServer } from 'node:http';
import { FileStore } from '@tus/file-store';
import { Server } from '@tus/server';
import { readSettings, serve } from './served.ts';

const { folder = '' } = readSettings();
const tus = new Server({ path: '/files', datastore: new FileStore({ directory: folder }) });

serve(createServer((incoming, response) => void tus.handle(incoming, response)));
