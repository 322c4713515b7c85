// A process that acts on users whom other processes act on too: signs them in, binds, blocks, stores data and files, deletes, until it is stopped.

import { newSessionId, type SessionId } from '../../../src/auth/sessions/session-id.ts';
import { newId } from '../../../src/kernel/crypto/random.ts';
import type { UserId } from '../../../src/kernel/ids.ts';
import { createOperatorPorts, createPorts } from '../../../src/store/ports.ts';
import { asPhone } from '../people/ids.ts';
import type { StoreKind } from '../services/gatehouse.ts';
import { reservation, settlement } from './file-fixtures.ts';
import { bind, signIn } from './fixtures.ts';
import { noting } from './noting.ts';
import { openNode } from './open-node.ts';

const [kind, address] = process.argv.slice(2) as [StoreKind, string];
const store = await openNode(kind, address);
const ports = noting(createPorts(store));
const { directory } = createOperatorPorts(store);

const users = 10;
const strands = 3;
const by = { actor: 'cli', why: 'a test' } as const;
let isStopping = false;
process.once('message', () => {
  isStopping = true;
});
process.once('disconnect', () => process.exit());

/** Deletions are rare, so that users have a history. */
const acts: readonly ((userId: UserId, sessionId: SessionId) => Promise<unknown>)[] = [
  (userId) => bind(ports, userId, asPhone(`${newId()}@example.com`), Date.now()),
  (userId) => bind(ports, userId, asPhone(`${newId()}@example.com`), Date.now()),
  (userId) => ports.bindings.removeEmail({ userId, now: Date.now() }),
  (userId) => directory.actOn({ userId, act: 'block', by, now: Date.now() }),
  (userId) => directory.actOn({ userId, act: 'unblock', by, now: Date.now() }),
  (userId) => directory.actOn({ userId, act: 'unblock', by, now: Date.now() }),
  (userId) => directory.actOn({ userId, act: 'sign out', by, now: Date.now() }),
  (userId) => ports.backendUsers.change({ userId, patch: { claims: `{"n":"${newId()}"}` }, by, now: Date.now() }),
  (userId, sessionId) =>
    ports.sessions.endSessions({ userId, sessionId, scope: 'this', reason: 'logged out', now: Date.now() }),
  (userId, sessionId) =>
    ports.sessions.endSessions({ userId, sessionId, scope: 'all', reason: 'logged out', now: Date.now() }),
  storeAndDelete,
  storeAndDelete,
  async (userId) => (Math.random() < 0.4 ? ports.users.deleteUser({ userId, now: Date.now() }) : undefined),
];

async function storeAndDelete(userId: UserId): Promise<void> {
  const reserved = reservation(userId, Date.now());
  const settled = settlement(reserved);
  if ((await ports.files.reserve(reserved)).kind !== 'reserved') return;
  if ((await ports.files.settle(settled)).kind !== 'stored') return;
  await ports.files.deleteFile({ userId, id: settled.file.id, now: Date.now() });
}

/** Others act on the same users, so an act may find the user blocked, deleted or without the code: it then counts as done. */
async function act(): Promise<void> {
  const phone = asPhone(`+4915100${Math.floor(Math.random() * users)}0000`);
  const signedIn = await signIn(ports, phone, Date.now()).catch(() => undefined);
  const userId = signedIn?.userId ?? (await directory.searchUsers({ by: 'phone', text: phone, most: 1 }))[0]?.id;
  if (userId === undefined) return;
  for (let count = 0; count < 4; count++) {
    const some = acts[Math.floor(Math.random() * acts.length)];
    await some?.(userId, signedIn?.session.id ?? newSessionId()).catch(() => undefined);
  }
}

async function work(): Promise<void> {
  while (!isStopping) await act().catch(() => undefined);
}

const working = Array.from({ length: strands }, work);
process.send?.('ready');
await Promise.all(working);
await store.close();
process.exit();
