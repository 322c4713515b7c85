// Makes sure before anything starts that nobody else listens on the ports of an example.
import { once } from 'node:events';
import { connect } from 'node:net';
import type { Place } from './place.ts';
import { StartError } from './start-error.ts';

const settings = { app: 'EXAMPLE_PORT', gatehouse: 'GATEHOUSE_PORT' } as const;

export async function requireFreePorts({ name: example, ports }: Pick<Place, 'name' | 'ports'>): Promise<void> {
  for (const name of ['gatehouse', 'app'] as const) {
    if (!(await isTaken(ports[name]))) continue;
    const cure = `End it, or choose another port: ${settings[name]}=${ports[name] + 1} npm run example -- ${example}`;
    throw new StartError(`Port ${ports[name]} is in use by another program. ${cure}`);
  }
}

async function isTaken(port: number): Promise<boolean> {
  const socket = connect({ host: 'localhost', port });
  const isOpen = await once(socket, 'connect').then(
    () => true,
    () => false,
  );
  socket.destroy();
  return isOpen;
}
