// Installs the client of this checkout for the example, as `npm install` would do in an app of your own.
import { copyFileSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { bundleClient } from '../../../client/build.ts';
import { files, project } from './settings.ts';

export async function installClient(): Promise<void> {
  mkdirSync(files.client, { recursive: true });
  copyFileSync(join(project, 'client/package.json'), join(files.client, 'package.json'));
  await bundleClient(join(files.client, 'dist'));
}
