// A process that signs in users in a loop and prints each sign-in once the store has acknowledged it.
import { writeSync } from 'node:fs';
import { createPorts } from '../../../src/store/ports.ts';
import { asPhone } from '../people/ids.ts';
import type { StoreKind } from '../services/gatehouse.ts';
import { noon, signIn } from './fixtures.ts';
import { openNode } from './open-node.ts';

const [kind, address, cycle] = process.argv.slice(2) as [StoreKind, string, string];
const ports = createPorts(await openNode(kind, address));
const writers = 12;

for (let writer = 0; writer < writers; writer++) void write(writer);

async function write(writer: number): Promise<never> {
  for (let count = 0; ; count++) {
    const { userId, session } = await signIn(ports, asPhone(`+${cycle} ${writer} ${count}`), noon);
    writeSync(1, `${userId} ${session.id}\n`);
  }
}
