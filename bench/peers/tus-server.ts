// @tus/server with its file store: takes what comes, keeps no hash and looks at no byte.
import { createServer } from 'node:http';
import { FileStore } from '@tus/file-store';
import { Server } from '@tus/server';
import { readSettings, serve } from './served.ts';

const { folder = '' } = readSettings();
const tus = new Server({ path: '/files', datastore: new FileStore({ directory: folder }) });

serve(createServer((incoming, response) => void tus.handle(incoming, response)));
