// Nodes that touch the same rows in every order at the same time on PostgreSQL: no deadlock ever occurs.

import assert from 'node:assert/strict';
import { it } from 'node:test';
import { challengeSlot } from '../../../src/auth/codes/challenge.ts';
import type { SessionId } from '../../../src/auth/sessions/session-id.ts';
import { newId } from '../../../src/kernel/crypto/random.ts';
import { newUserId, type UserId } from '../../../src/kernel/ids.ts';
import type { EmailKey } from '../../../src/kernel/recipient.ts';
import { createOperatorPorts, createPorts, type OperatorPorts, type Ports } from '../../../src/store/ports.ts';
import type { Store } from '../../../src/store/store.ts';
import { rounds } from '../../helpers/faults/rounds.ts';
import { asEmailKey, asPhone, asSessionId, asUploadId, asUserId } from '../../helpers/people/ids.ts';
import { newUser, reservation, settlement, store } from '../../helpers/store/file-fixtures.ts';
import {
  attempt,
  binding,
  codeRequest,
  linkIssue,
  newEmail,
  newPhone,
  noon,
  phoneChange,
  phoneClaim,
  phoneSignIn,
  rightAttempt,
  sessionDraft,
  sessionPolicy,
  signIn,
} from '../../helpers/store/fixtures.ts';
import { noting } from '../../helpers/store/noting.ts';
import { openNode } from '../../helpers/store/open-node.ts';
import { createEmptyDatabase } from '../../helpers/store/test-store.ts';

const meetingsOfEach = rounds(3);
const userCount = 12;
const by = { actor: 'cli', why: 'a test' } as const;
/** So few that each further sign-in evicts sessions. */
const fewSessions = { ...sessionPolicy, perUser: 2 };
const counted = {
  failuresPerRecipient: [{ count: 100, windowSeconds: 3600 }],
  failuresPerCaller: [{ count: 10_000, windowSeconds: 3600 }],
};

/** All calls of a node leave in one turn of the loop, so that each node locks many rows at once. */
type Calls = (ports: Ports & OperatorPorts & Pick<Store, 'call'>) => Promise<unknown>[];
type Meeting = (ports: Ports) => Promise<readonly [Calls, Calls]>;

const many = <T>(make: (index: number) => Promise<T>) =>
  Promise.all(Array.from({ length: userCount }, (_, at) => make(at)));

const meetings: Record<string, Meeting> = {
  'two nodes bind the same free e-mail addresses to different users': async (ports) => {
    const addresses = Array.from({ length: userCount }, newEmail);
    const bind = async () => {
      const users = await many(() => newUser(ports, noon));
      const inputs = await many((at) =>
        prepareBinding(ports, asUserId(users[at] ?? ''), asEmailKey(addresses[at] ?? '')),
      );
      return ({ bindings }: Ports) => inputs.map((input) => bindings.bindEmail(input));
    };
    return [await bind(), await bind()];
  },
  'two nodes bind e-mail addresses that users of the other node own': async (ports) => {
    const users = await many(() => newUser(ports, noon));
    const addresses = await many(async (at) => {
      const address = asEmailKey(newEmail());
      await ports.bindings.bindEmail(await prepareBinding(ports, asUserId(users[at] ?? ''), address));
      return address;
    });
    const next = await many((at) =>
      prepareBinding(ports, asUserId(users[at] ?? ''), asEmailKey(addresses[userCount - 1 - at] ?? '')),
    );
    const half = userCount / 2;
    const bind = (inputs: typeof next) => (node: Ports) => inputs.map((input) => node.bindings.bindEmail(input));
    return [bind(next.slice(0, half)), bind(next.slice(half).toReversed())];
  },
  'two nodes change different users to the same free numbers': async (ports) => {
    const numbers = Array.from({ length: userCount }, newPhone);
    return [await changeAll(ports, numbers), await changeAll(ports, numbers.toReversed())];
  },
  'users change to numbers that users of the other node have': async (ports) => {
    const people = await signedInPeople(ports);
    const crosswise = people.map(({ phone }) => phone).toReversed();
    const half = userCount / 2;
    return [
      await changeAll(ports, crosswise.slice(0, half), people.slice(0, half)),
      await changeAll(ports, crosswise.slice(half), people.slice(half).toReversed()),
    ];
  },
  'users change to numbers with which others sign up': async (ports) => {
    const numbers = Array.from({ length: userCount }, newPhone);
    const inputs = await Promise.all(numbers.map((phone) => nextSignIn(ports, phone)));
    return [
      await changeAll(ports, numbers.toReversed()),
      ({ signIns }) => inputs.map((input) => signIns.signInWithPhone(input)),
    ];
  },
  'changes of numbers are undone while their users change them again': async (ports) => {
    const people = await signedInPeople(ports);
    const changes = await Promise.all(people.map((person) => phoneChange(ports, person, newPhone(), noon)));
    await Promise.all(changes.map((change) => ports.phones.changePhone(change)));
    const links = changes.flatMap(({ notices }) => [notices.changed.sms.tokenHash, notices.changed.mail.tokenHash]);
    return [
      ({ notices }) => links.toReversed().map((tokenHash) => notices.redeemNotice({ tokenHash, now: noon })),
      await changeAll(ports, Array.from({ length: userCount }, newPhone), people),
    ];
  },
  'users sign in and start uploads': async (ports) => {
    const phones = Array.from({ length: userCount }, newPhone);
    // Ids and phones rise in opposite directions.
    const ids = Array.from({ length: userCount }, newUserId).toReversed();
    const users = await many(
      async (at) =>
        (await signIn(ports, asPhone(phones[at] ?? ''), noon, { newUserId: ids[at] ?? asUserId('') })).userId,
    );
    const inputs = await many(async (at) => {
      const phone = phones[at] ?? '';
      return phoneSignIn(await rightAttempt(ports, phone, noon), asPhone(phone), noon);
    });
    return [
      ({ signIns }) => inputs.map((input) => signIns.signInWithPhone(input)),
      ({ files }) => users.map((userId) => files.reserve(reservation(userId, noon))),
    ];
  },
  'users who store and delete files are deleted': async (ports) => {
    const users = await many(() => newUser(ports, noon));
    const files = await many((at) => store(ports, asUserId(users[at] ?? ''), noon));
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
  'sessions are rotated and their user signs out everywhere': async (ports) => {
    const { userId, rotateAll } = await signInOften(ports);
    const ending = {
      userId,
      sessionId: asSessionId(''),
      scope: 'all' as const,
      reason: 'logged out' as const,
      now: noon,
    };
    return [rotateAll, (node) => [node.sessions.endSessions(ending)]];
  },
  'sessions are rotated and their user is blocked': async (ports) => {
    const { userId, rotateAll } = await signInOften(ports);
    return [rotateAll, (node) => [node.directory.actOn({ userId, act: 'block', by, now: noon })]];
  },
  'many sessions are rotated and their user is deleted': async (ports) => {
    const { userId, rotateAll } = await signInOften(ports);
    return [rotateAll, (node) => [node.users.deleteUser({ userId, now: noon })]];
  },
  'sessions are rotated and evicted by sign-ins': async (ports) => {
    const { phone, rotateAll } = await signInOften(ports);
    const inputs = await many(async (at) => {
      const given = await rightAttempt(ports, `${phone}${at}`, noon);
      return phoneSignIn(given, asPhone(phone), noon, { session: { policy: fewSessions } });
    });
    return [rotateAll, ({ signIns }) => inputs.map((input) => signIns.signInWithPhone(input))];
  },
  'users are deleted and their sessions end': async (ports) => {
    const users = await signedInTwice(ports);
    return [
      deleteAll(users),
      ({ sessions }) =>
        users.map(({ userId }) =>
          sessions.endSessions({ userId, sessionId: asSessionId(''), scope: 'all', reason: 'logged out', now: noon }),
        ),
    ];
  },
  'users are deleted and sign in by phone, which evicts sessions': async (ports) => {
    const users = await signedInTwice(ports);
    const inputs = await Promise.all(users.map(({ phone }) => nextSignIn(ports, phone)));
    return [deleteAll(users), ({ signIns }) => inputs.map((input) => signIns.signInWithPhone(input))];
  },
  'users are deleted and blocked': async (ports) => {
    const users = await signedInTwice(ports);
    return [deleteAll(users), blockAll(users)];
  },
  'users are deleted and sign in by link': async (ports) => {
    const owners = await linkOwners(ports);
    return [deleteAll(owners), signInByLink(owners)];
  },
  'users are deleted and links are issued to them': async (ports) => {
    const owners = await linkOwners(ports);
    return [deleteAll(owners), issueLinks(owners)];
  },
  'users are deleted and bind another e-mail address': async (ports) => {
    const owners = await linkOwners(ports);
    return [deleteAll(owners), await bindAnother(ports, owners)];
  },
  'users are deleted and start uploads': async (ports) => {
    const users = await signedInTwice(ports);
    return [
      deleteAll(users),
      ({ files }) => users.map(({ userId }) => files.reserve(reservation(userId, noon, { keyId: newId() }))),
    ];
  },
  'users sign in by link and links are issued to them': async (ports) => {
    const owners = await linkOwners(ports);
    return [signInByLink(owners), issueLinks(owners.toReversed())];
  },
  'users sign in by link and by phone': async (ports) => {
    const owners = await linkOwners(ports);
    const inputs = await Promise.all(owners.map(({ phone }) => nextSignIn(ports, phone)));
    return [signInByLink(owners), ({ signIns }) => inputs.map((input) => signIns.signInWithPhone(input))];
  },
  'users sign in by link and are blocked': async (ports) => {
    const owners = await linkOwners(ports);
    return [signInByLink(owners), blockAll(owners.toReversed())];
  },
  'users sign in by link and bind another e-mail address': async (ports) => {
    const owners = await linkOwners(ports);
    return [signInByLink(owners), await bindAnother(ports, owners.toReversed())];
  },
  'users sign in by link and their e-mail address is removed': async (ports) => {
    const owners = await linkOwners(ports);
    return [
      signInByLink(owners),
      ({ call }) => owners.toReversed().map(({ userId }) => call('bindings.removeEmail', { userId, by, now: noon })),
    ];
  },
  'numbers are claimed by two nodes': async (ports) => {
    const owners = await linkOwners(ports);
    return [claimAll(owners), claimAll(owners.toReversed())];
  },
  'numbers are claimed and their accounts are deleted': async (ports) => {
    const owners = await linkOwners(ports);
    return [claimAll(owners), deleteAll(owners)];
  },
  'numbers are claimed and their accounts sign in by link': async (ports) => {
    const owners = await linkOwners(ports);
    return [claimAll(owners.toReversed()), signInByLink(owners)];
  },
  'numbers are claimed and signed in with': async (ports) => {
    const owners = await linkOwners(ports);
    const inputs = await Promise.all(owners.map(({ phone }) => nextSignIn(ports, phone)));
    return [claimAll(owners), ({ signIns }) => inputs.toReversed().map((input) => signIns.signInWithPhone(input))];
  },
  'ended sessions are swept and their users sign in': async (ports) => {
    const users = await signedInTwice(ports);
    const ending = { sessionId: asSessionId(''), scope: 'all' as const, reason: 'logged out' as const, now: noon };
    await Promise.all(users.map(({ userId }) => ports.sessions.endSessions({ ...ending, userId })));
    const inputs = await Promise.all(users.map(({ phone }) => nextSignIn(ports, phone)));
    const policy = { accessTokenLifeSeconds: 1, most: 5, now: noon + 86_400_000 };
    return [
      ({ call }) => users.map(() => call('tables.sweep', { target: 'endedSessions', ...policy })),
      ({ signIns }) => inputs.toReversed().map((input) => signIns.signInWithPhone(input)),
    ];
  },
  'codes are requested and tried': async (ports) => {
    const phones = Array.from({ length: userCount }, newPhone);
    const wrong = await many(async (at) => {
      const phone = phones[at] ?? '';
      await ports.sendRequests.request(codeRequest(phone, noon));
      return { ...phoneSignIn(attempt(phone, noon, counted), asPhone(phone), noon), countsUse: true };
    });
    const policy = {
      perRecipient: [{ count: 100, windowSeconds: 3600 }],
      perIp: [{ count: 10_000, windowSeconds: 3600 }],
    };
    const requests = phones.map((phone) => codeRequest(phone, noon, { policy }));
    return [
      ({ signIns }) => wrong.map((input) => signIns.signInWithPhone(input)),
      ({ sendRequests }) => requests.toReversed().map((request) => sendRequests.request(request)),
    ];
  },
  'uploads start and are settled under the same keys': async (ports) => {
    const users = await many(() => newUser(ports, noon));
    const reserved = users.map((userId) => reservation(userId, noon, { keyId: newId() }));
    await Promise.all(reserved.map((one) => ports.files.reserve(one)));
    return [
      ({ files }) => reserved.map((one) => files.settle(settlement(one))),
      ({ files }) => reserved.toReversed().map((one) => files.reserve({ ...one, uploadId: asUploadId(newId()) })),
    ];
  },
};

for (const [name, meet] of Object.entries(meetings)) {
  it(`no deadlock occurs on PostgreSQL while ${name}`, async () => {
    const database = await createEmptyDatabase('postgres');
    const nodes = await Promise.all([0, 1, 2].map(() => openNode('postgres', database.address)));
    await nodes[0]?.migrations.up();
    const [helper, one, other] = nodes.map((node) => ({
      call: node.call,
      ...noting(createPorts(node)),
      ...createOperatorPorts(node),
    }));
    if (helper === undefined || one === undefined || other === undefined) assert.fail();
    for (let round = 0; round < meetingsOfEach; round++) {
      const [first, second] = await meet(helper);
      await Promise.all([...first(one), ...second(other)]);
    }
    await Promise.all(nodes.map((node) => node.close()));
    // A connection reports its counts when it ends.
    for (let open = 1; open > 0; ) open = Number((await database.query(connections))[0]?.n);
    const [counted] = await database.query('select deadlocks from pg_stat_database where datname = current_database()');
    assert.deepEqual(counted, { deadlocks: 0 });
    await database.end();
  });
}

const connections = `select count(*) as n from pg_stat_activity
  where datname = current_database() and application_name = 'gatehouse'`;

type Owner = { readonly userId: UserId; readonly phone: string };
type LinkOwner = Owner & { readonly address: string; readonly tokens: readonly string[] };

/** Rows created in this order are stored in the reverse order of their keys, so that no statement finds them in key order by chance. */
function fallingIds(count: number): string[] {
  return Array.from({ length: count }, newId).toReversed();
}

function signedInTwice(ports: Ports): Promise<Owner[]> {
  return many(async () => {
    const phone = newPhone();
    const [older, newer] = fallingIds(2);
    await signIn(ports, phone, noon - 1, { session: { id: asSessionId(older ?? '') } });
    return { userId: (await signIn(ports, phone, noon, { session: { id: asSessionId(newer ?? '') } })).userId, phone };
  });
}

/** Users with two sessions, an address and two links to it. */
async function linkOwners(ports: Ports): Promise<LinkOwner[]> {
  const owners = await signedInTwice(ports);
  return Promise.all(
    owners.map(async (owner) => {
      const address = asEmailKey(newEmail());
      await ports.bindings.bindEmail(await prepareBinding(ports, owner.userId, address));
      const tokens = fallingIds(2);
      for (const token of tokens) await ports.links.issueLink(linkIssue(address, token, noon));
      return { ...owner, address, tokens };
    }),
  );
}

type Person = Owner & { readonly sessionId: SessionId };

function signedInPeople(ports: Ports): Promise<Person[]> {
  const ids = fallingIds(userCount).map(asUserId);
  return many(async (at) => {
    const phone = newPhone();
    const { userId, session } = await signIn(ports, phone, noon, { newUserId: ids[at] ?? asUserId('') });
    return { userId, phone, sessionId: session.id };
  });
}

/** Each of the people, or of new ones, changes to one of the numbers. */
async function changeAll(ports: Ports, numbers: readonly string[], people?: readonly Person[]): Promise<Calls> {
  const changing = people ?? (await signedInPeople(ports));
  const inputs = await Promise.all(
    changing.flatMap((person, at) =>
      numbers[at] === undefined ? [] : [phoneChange(ports, person, asPhone(numbers[at]), noon)],
    ),
  );
  return ({ phones }) => inputs.map((input) => phones.changePhone(input));
}

async function nextSignIn(ports: Ports, phone: string) {
  return phoneSignIn(await rightAttempt(ports, phone, noon), asPhone(phone), noon, {
    session: { policy: fewSessions },
  });
}

function deleteAll(users: readonly Owner[]): Calls {
  return (node) => users.toReversed().map(({ userId }) => node.users.deleteUser({ userId, now: noon }));
}

function blockAll(users: readonly Owner[]): Calls {
  return ({ directory }) => users.map(({ userId }) => directory.actOn({ userId, act: 'block', by, now: noon }));
}

function signInByLink(owners: readonly LinkOwner[]): Calls {
  return ({ signIns }) =>
    owners.flatMap(({ tokens }) =>
      tokens.map((tokenHash) =>
        signIns.signInWithLink({ tokenHash, session: sessionDraft(noon, { policy: fewSessions }) }),
      ),
    );
}

function claimAll(owners: readonly LinkOwner[]): Calls {
  const tickets = owners.map(({ userId, phone }) => ({ userId, phone: asPhone(phone), lastUse: noon }));
  return ({ signIns }) => tickets.map((ticket) => signIns.claimPhone(phoneClaim(ticket, noon)));
}

function issueLinks(owners: readonly LinkOwner[]): Calls {
  return ({ links }) =>
    owners.flatMap(({ address }) => [1, 2, 3].map(() => links.issueLink(linkIssue(address, newId(), noon))));
}

async function bindAnother(ports: Ports, owners: readonly LinkOwner[]): Promise<Calls> {
  const inputs = await Promise.all(owners.map(({ userId }) => prepareBinding(ports, userId, asEmailKey(newEmail()))));
  return ({ bindings }) => inputs.map((input) => bindings.bindEmail(input));
}

/** One user with many sessions, and the calls that renew them all. */
async function signInOften(ports: Ports): Promise<Owner & { readonly rotateAll: Calls }> {
  const phone = newPhone();
  const { userId } = await signIn(ports, phone, noon);
  const ids = fallingIds(userCount);
  const sessions = await many(async (at) => {
    const given = await rightAttempt(ports, `${phone}${at}`, noon);
    const input = phoneSignIn(given, phone, noon - at, { session: { id: asSessionId(ids[at] ?? '') } });
    await ports.signIns.signInWithPhone(input);
    return input;
  });
  const rotateAll: Calls = (node) =>
    sessions.map(({ session: { id, seedHash } }) =>
      node.sessions.rotate({ sessionId: id, seedHash, counter: 0, policy: sessionPolicy, now: noon }),
    );
  return { userId, phone, rotateAll };
}

async function prepareBinding(ports: Ports, userId: UserId, address: EmailKey) {
  const slot = challengeSlot('email-binding', address, userId);
  const given = await rightAttempt(ports, address, noon, { ...attempt(address, noon), slot });
  return binding(given, userId, address, noon);
}
