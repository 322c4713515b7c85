// Nodes that touch the same rows in every order at the same time: on PostgreSQL no two of them ever wait for each other in a circle.
import assert from 'node:assert/strict';
import { it } from 'node:test';
import { challengeSlot } from '../../src/auth/challenge.ts';
import { newId } from '../../src/kernel/random.ts';
import { createOperatorPorts, createPorts, type OperatorPorts, type Ports } from '../../src/store/ports.ts';
import { newUser, reservation, settlement, store } from './file-fixtures.ts';
import {
  attempt,
  binding,
  newEmail,
  newPhone,
  noon,
  phoneSignIn,
  rightAttempt,
  sessionPolicy,
  signIn,
} from './fixtures.ts';
import { openNode } from './open-node.ts';
import { createEmptyDatabase } from './test-store.ts';

const rounds = 25;
const people = 12;

/** All calls of a node leave in one turn of the loop, so that each node locks many rows at once. */
type Calls = (ports: Ports & OperatorPorts) => Promise<unknown>[];
type Meeting = (ports: Ports) => Promise<readonly [Calls, Calls]>;

const many = <T>(make: (index: number) => Promise<T>) =>
  Promise.all(Array.from({ length: people }, (_, at) => make(at)));

const meetings: Record<string, Meeting> = {
  'two nodes bind the same free addresses to different users': async (ports) => {
    const addresses = Array.from({ length: people }, newEmail);
    const bind = async () => {
      const users = await many(() => newUser(ports, noon));
      const inputs = await many((at) => prepareBinding(ports, users[at] ?? '', addresses[at] ?? ''));
      return ({ bindings }: Ports) => inputs.map((input) => bindings.bindEmail(input));
    };
    return [await bind(), await bind()];
  },
  'two nodes bind what the other one’s users own': async (ports) => {
    const users = await many(() => newUser(ports, noon));
    const addresses = await many(async (at) => {
      const address = newEmail();
      await ports.bindings.bindEmail(await prepareBinding(ports, users[at] ?? '', address));
      return address;
    });
    const next = await many((at) => prepareBinding(ports, users[at] ?? '', addresses[people - 1 - at] ?? ''));
    const half = people / 2;
    const bind = (inputs: typeof next) => (node: Ports) => inputs.map((input) => node.bindings.bindEmail(input));
    return [bind(next.slice(0, half)), bind(next.slice(half).toReversed())];
  },
  'users sign in while their uploads begin': async (ports) => {
    const phones = Array.from({ length: people }, newPhone);
    // Ids and phones rise in opposite directions.
    const ids = Array.from({ length: people }, newId).toReversed();
    const users = await many(
      async (at) => (await signIn(ports, phones[at] ?? '', noon, { newUserId: ids[at] ?? '' })).userId,
    );
    const inputs = await many(async (at) => {
      const phone = phones[at] ?? '';
      return phoneSignIn(await rightAttempt(ports, phone, noon), phone, noon);
    });
    return [
      ({ signIns }) => inputs.map((input) => signIns.signInWithPhone(input)),
      ({ files }) => users.map((userId) => files.reserve(reservation(userId, noon))),
    ];
  },
  'users are deleted while they store and delete files': async (ports) => {
    const users = await many(() => newUser(ports, noon));
    const files = await many((at) => store(ports, users[at] ?? '', noon));
    const reserved = users.map((userId) => reservation(userId, noon));
    await Promise.all(reserved.map((one) => ports.files.reserve(one)));
    return [
      (node) => users.toReversed().map((userId) => node.users.deleteUser({ userId, now: noon })),
      (node) => [
        ...files.map(({ userId, id }) => node.files.deleteFile({ userId, id, now: noon })),
        ...reserved.map((one) => node.files.settle(settlement(one))),
      ],
    ];
  },
  'sessions are rotated while their user logs out everywhere': async (ports) => {
    const { userId, rotateAll } = await signInOften(ports);
    const ending = { userId, sessionId: '', scope: 'all' as const, reason: 'logged out' as const, now: noon };
    return [rotateAll, (node) => [node.sessions.endSessions(ending)]];
  },
  'sessions are rotated while their user is blocked': async (ports) => {
    const { userId, rotateAll } = await signInOften(ports);
    return [
      rotateAll,
      (node) => [node.directory.actOn({ userId, act: 'block', by: { actor: 'cli', why: 'a test' }, now: noon })],
    ];
  },
};

for (const [name, meet] of Object.entries(meetings)) {
  it(`${name}, and no lock waits in a circle`, async () => {
    const database = await createEmptyDatabase('postgres');
    const nodes = await Promise.all([0, 1, 2].map(() => openNode('postgres', database.address)));
    await nodes[0]?.migrations.up();
    const [helper, one, other] = nodes.map((node) => ({ ...createPorts(node), ...createOperatorPorts(node) }));
    if (helper === undefined || one === undefined || other === undefined) assert.fail();
    for (let round = 0; round < rounds; round++) {
      const [first, second] = await meet(helper);
      await Promise.all([...first(one), ...second(other)]);
    }
    await Promise.all(nodes.map((node) => node.close()));
    // A connection tells what it counted when it ends.
    for (let open = 1; open > 0; ) open = Number((await database.query(connections))[0]?.n);
    const [counted] = await database.query('select deadlocks from pg_stat_database where datname = current_database()');
    assert.deepEqual(counted, { deadlocks: 0 });
    await database.end();
  });
}

const connections = `select count(*) as n from pg_stat_activity
  where datname = current_database() and application_name = 'gatehouse'`;

/** One person with many sessions, and what renews them all. */
async function signInOften(ports: Ports): Promise<{ userId: string; rotateAll: Calls }> {
  const phone = newPhone();
  const { userId } = await signIn(ports, phone, noon);
  const sessions = await many(async (at) => {
    const input = phoneSignIn(await rightAttempt(ports, `${phone}${at}`, noon), phone, noon - at);
    await ports.signIns.signInWithPhone(input);
    return input;
  });
  const rotateAll: Calls = (node) =>
    sessions.map(({ session: { id, seedHash } }) =>
      node.sessions.rotate({ sessionId: id, seedHash, counter: 0, policy: sessionPolicy, now: noon }),
    );
  return { userId, rotateAll };
}

async function prepareBinding(ports: Ports, userId: string, address: string) {
  const slot = challengeSlot('email-binding', address, userId);
  const given = await rightAttempt(ports, address, noon, { ...attempt(address, noon), slot });
  return binding(given, userId, address, noon);
}
