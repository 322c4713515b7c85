// Many calls in one turn of the event loop share a commit: they see each other, and a failed call does not fail the others.

import assert from 'node:assert/strict';
import { it } from 'node:test';
import { newUserId } from '../../src/kernel/ids.ts';
import { asUserId } from '../helpers/people/ids.ts';
import {
  codeRequest,
  newPhone,
  noon,
  phoneSignIn,
  rightAttempt,
  sessionPolicy,
  signIn,
} from '../helpers/store/fixtures.ts';
import { onEveryStore } from '../helpers/store/test-store.ts';

onEveryStore('a batch of calls', (open) => {
  it('in a batch of sign-ins, only the one with a taken user id fails', async () => {
    const { ports, rows } = open();
    const { userId: taken } = await signIn(ports, newPhone(), noon);
    const phones = Array.from({ length: 9 }, newPhone);
    const attempts = await Promise.all(phones.map((phone) => rightAttempt(ports, phone, noon)));
    const inputs = phones.map((phone, index) =>
      phoneSignIn(attempts[index] ?? assert.fail(), phone, noon, index === 4 ? { newUserId: taken } : {}),
    );
    const all = await Promise.allSettled(inputs.map((input) => ports.signIns.signInWithPhone(input)));
    const kinds = all.map((result) => (result.status === 'fulfilled' ? result.value.kind : 'failed'));
    assert.deepEqual(
      kinds,
      phones.map((_, index) => (index === 4 ? 'failed' : 'signed in')),
    );
    const users = await rows('users');
    assert.deepEqual(
      phones.filter((phone) => !users.some((user) => user.phone === phone)),
      phones.slice(4, 5),
    );
    const sessions = (await rows('sessions')).map(({ id }) => id);
    assert.deepEqual(
      inputs.map(({ session }) => sessions.includes(session.id)),
      kinds.map((kind) => kind === 'signed in'),
    );
  });

  it('a sign-in that fails in a batch is undone, so that its code still works', async () => {
    const { ports } = open();
    const { userId: taken } = await signIn(ports, newPhone(), noon);
    const phone = newPhone();
    const given = await rightAttempt(ports, phone, noon);
    const failing = ports.signIns.signInWithPhone(phoneSignIn(given, phone, noon, { newUserId: taken }));
    await assert.rejects(failing, (error: Error) => error.message !== 'SERVICE_UNAVAILABLE');
    assert.equal((await ports.signIns.signInWithPhone(phoneSignIn(given, phone, noon))).kind, 'signed in');
  });

  it('a failed call in a batch does not affect calls of other kinds', async () => {
    const { ports } = open();
    const { userId: taken, session } = await signIn(ports, newPhone(), noon);
    const phone = newPhone();
    const given = await rightAttempt(ports, phone, noon);
    const rotation = {
      sessionId: session.id,
      seedHash: session.seedHash,
      counter: 0,
      policy: sessionPolicy,
      now: noon,
    };
    const [failed, sent, rotated, found] = await Promise.allSettled([
      ports.signIns.signInWithPhone(phoneSignIn(given, phone, noon, { newUserId: taken })),
      ports.sendRequests.request(codeRequest(newPhone(), noon)),
      ports.sessions.rotate(rotation),
      ports.users.findUser(taken),
    ]);
    const states = [failed, sent, rotated, found].map(({ status }) => status);
    assert.deepEqual(states, ['rejected', 'fulfilled', 'fulfilled', 'fulfilled']);
  });

  it('each of a thousand calls in one turn of the event loop gets its own outcome', async () => {
    const { ports } = open();
    const phones = Array.from({ length: 1000 }, newPhone);
    const attempts = await Promise.all(phones.map((phone) => rightAttempt(ports, phone, noon)));
    const ids = phones.map(() => newUserId());
    const all = await Promise.all(
      phones.map((phone, index) => {
        const newUserId = ids[index] ?? asUserId('');
        return ports.signIns.signInWithPhone(phoneSignIn(attempts[index] ?? assert.fail(), phone, noon, { newUserId }));
      }),
    );
    assert.deepEqual(
      all.map((outcome) => (outcome.kind === 'signed in' ? outcome.userId : outcome.kind)),
      ids,
    );
    const users = await Promise.all(ids.map((id) => ports.users.findUser(id)));
    assert.deepEqual(
      users.map((user) => user?.phone),
      phones,
    );
  });

  it('text that looks like SQL, JSON or a number is stored unchanged', async () => {
    const { ports, rows } = open();
    const agents = [
      'NULL',
      '{"a":1}',
      '[1]',
      '{1,2}',
      '007',
      '1e3',
      'true',
      "'; drop table users; --",
      '\\N',
      '"',
      '😀\u2028',
      '',
    ];
    const phone = newPhone();
    for (const userAgent of agents) await signIn(ports, phone, noon, { session: { userAgent } });
    const { userId } = await signIn(ports, phone, noon, { session: { userAgent: undefined } });
    const kept = (await rows('sessions')).filter((row) => row.user_id === userId);
    const sort = (texts: unknown[]) => texts.map((text) => JSON.stringify(text)).toSorted();
    assert.deepEqual(sort(kept.map((row) => row.user_agent)), sort([...agents, null]));
  });
});
