// Installs the client and the React package of this checkout for an example, as `npm install` would do in an app of your own.
import { copyFileSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { bundleReact } from '../../react/build.ts';
import { installClient } from './install-client.ts';
import { type Place, project } from './place.ts';

export async function installReact(place: Pick<Place, 'folder'>): Promise<void> {
  await installClient(place);
  const installed = join(place.folder, 'node_modules/@gatehouse/react');
  mkdirSync(installed, { recursive: true });
  copyFileSync(join(project, 'react/package.json'), join(installed, 'package.json'));
  await bundleReact(join(installed, 'dist'));
}
