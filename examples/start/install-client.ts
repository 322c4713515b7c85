// Installs the client of this checkout for an example, as `npm install` would do in an app of your own.
import { copyFileSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { bundleClient } from '../../client/build.ts';
import { type Place, project } from './place.ts';

export async function installClient({ folder }: Pick<Place, 'folder'>): Promise<void> {
  const installed = join(folder, 'node_modules/@gatehouse/client');
  mkdirSync(installed, { recursive: true });
  copyFileSync(join(project, 'client/package.json'), join(installed, 'package.json'));
  await bundleClient(join(installed, 'dist'));
}
