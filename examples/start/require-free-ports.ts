// Makes sure before anything starts that the ports of an example are two numbers, and that nobody else listens on them.
import { once } from 'node:events';
import { connect } from 'node:net';
import type { Place } from './place.ts';
import { StartError } from './start-error.ts';

const settings = { gatehouse: 'GATEHOUSE_PORT', app: 'EXAMPLE_PORT' } as const;
const names = ['gatehouse', 'app'] as const;
const highestPort = 65_535;

export async function requireFreePorts({ name: example, ports }: Pick<Place, 'name' | 'ports'>): Promise<void> {
  for (const name of names)
    if (!Number.isInteger(ports[name]) || ports[name] < 1 || ports[name] > highestPort)
      throw new StartError(`${settings[name]} is not a port. Write a whole number from 1 to ${highestPort}.`);
  if (ports.app === ports.gatehouse)
    throw new StartError(`${settings.app} and ${settings.gatehouse} are both ${ports.app}. Choose two ports.`);
  const taken: (typeof names)[number][] = [];
  for (const name of names) if (await isTaken(ports[name])) taken.push(name);
  if (taken.length === 0) return;
  const numbers = taken.map((name) => ports[name]);
  const avoided = new Set(Object.values(ports));
  const choices: string[] = [];
  for (const name of taken) choices.push(`${settings[name]}=${await findFree(ports[name], avoided)}`);
  const [are, end] =
    numbers.length === 1
      ? ['is in use by another program', 'End it, or choose another port']
      : ['are in use by other programs', 'End them, or choose other ports'];
  throw new StartError(
    `Port${numbers.length === 1 ? '' : 's'} ${numbers.join(' and ')} ${are}. ${end}: ${choices.join(' ')} npm run example -- ${example}`,
  );
}

/** The next port that is neither taken nor proposed already. */
async function findFree(after: number, avoided: Set<number>): Promise<number> {
  let port = after;
  do port = port === highestPort ? 1024 : port + 1;
  while (avoided.has(port) || (await isTaken(port)));
  avoided.add(port);
  return port;
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
