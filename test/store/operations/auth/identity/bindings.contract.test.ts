// Contract of BindingStore: an e-mail address has one owner, binding uses up the code, and the replaced address gets a notice.

import assert from 'node:assert/strict';
import { it } from 'node:test';
import { challengeSlot } from '../../../../../src/auth/codes/challenge.ts';
import { newId } from '../../../../../src/kernel/crypto/random.ts';
import type { UserId } from '../../../../../src/kernel/ids.ts';
import type { EmailKey } from '../../../../../src/kernel/recipient.ts';
import { asEmailKey, asPhone } from '../../../../helpers/people/ids.ts';
import {
  attempt,
  bind,
  binding,
  newEmail,
  newPhone,
  noon,
  ownerOf,
  rightAttempt,
  signIn,
} from '../../../../helpers/store/fixtures.ts';
import { onEveryStore } from '../../../../helpers/store/test-store.ts';

onEveryStore('e-mail bindings', (open) => {
  const newUser = async () => (await signIn(open().ports, newPhone(), noon)).userId;
  const prove = (address: EmailKey, userId: UserId) => {
    const slot = challengeSlot('email-binding', address, userId);
    return rightAttempt(open().ports, address, noon, { ...attempt(address, noon), slot });
  };
  const eventsOf = async (userId: UserId) =>
    (await open().rows('audit_events')).filter((event) => event.user_id === userId && event.kind.startsWith('email.'));

  it('bindEmail binds a free e-mail address and stores it as it was written', async () => {
    const { ports } = open();
    const userId = await newUser();
    const address = newEmail().replace('example', 'Example');
    assert.deepEqual(await bind(ports, userId, address, noon), { kind: 'bound' });
    assert.equal((await ports.users.findUser(userId))?.email, address);
    assert.equal(await ports.bindings.findOwner(asEmailKey(address.toLowerCase())), userId);
    assert.equal(await ports.bindings.findOwner(asEmailKey(address)), undefined);
    assert.equal(await ports.bindings.findOwner(asEmailKey(newEmail())), undefined);
  });

  it('bindEmail uses up the code', async () => {
    const { ports } = open();
    const userId = await newUser();
    const address = asEmailKey(newEmail());
    const given = await prove(address, userId);
    assert.deepEqual(await ports.bindings.bindEmail(binding(given, userId, address, noon)), { kind: 'bound' });
    assert.deepEqual(await ports.bindings.bindEmail(binding(given, userId, address, noon)), { kind: 'lost' });
    assert.equal((await ports.bindings.bindEmail(binding(given, userId, newEmail(), noon))).kind, 'refused');
    assert.equal((await ports.users.findUser(userId))?.email, address);
  });

  it('bindEmail refuses an e-mail address of another user and uses up the code', async () => {
    const { ports } = open();
    const address = asEmailKey(newEmail());
    const owner = await ownerOf(ports, address, noon);
    const userId = await newUser();
    const given = await prove(address, userId);
    assert.deepEqual(await ports.bindings.bindEmail(binding(given, userId, address, noon)), { kind: 'taken' });
    assert.deepEqual(await ports.bindings.bindEmail(binding(given, userId, address, noon)), { kind: 'lost' });
    assert.equal(await ports.bindings.findOwner(address), owner);
    assert.equal((await ports.users.findUser(userId))?.email, undefined);
  });

  it('one of many users who bind an e-mail address in one turn of the event loop gets it', async () => {
    const { ports } = open();
    const address = asEmailKey(newEmail());
    const users = await Promise.all(Array.from({ length: 5 }, newUser));
    const attempts = await Promise.all(users.map((userId) => prove(address, userId)));
    const all = await Promise.all(
      users.map((userId, index) =>
        ports.bindings.bindEmail(binding(attempts[index] ?? assert.fail(), userId, address, noon)),
      ),
    );
    assert.deepEqual(all.map(({ kind }) => kind).toSorted(), ['bound', 'taken', 'taken', 'taken', 'taken']);
    const owners = (await open().rows('users')).filter((user) => user.email_key === address);
    assert.deepEqual(
      owners.map(({ id }) => id),
      users.filter((_, index) => all[index]?.kind === 'bound'),
    );
  });

  it('bindEmail queues a notice to the replaced e-mail address in the same commit, and frees it', async () => {
    const { ports, rows } = open();
    const [old, next] = [newEmail(), newEmail()];
    const userId = await ownerOf(ports, asPhone(old), noon);
    const replacing = binding(await prove(asEmailKey(next), userId), userId, next, noon);
    assert.deepEqual(await ports.bindings.bindEmail(replacing), { kind: 'bound' });
    const notice = (await rows('outbox')).find(({ id }) => id === replacing.notice.id);
    assert.deepEqual([notice?.kind, notice?.channel, notice?.state], ['email-replaced', 'mail', 'queued']);
    assert.deepEqual(JSON.parse(notice?.payload ?? ''), { to: old, language: 'en' });
    assert.equal(await ports.bindings.findOwner(asEmailKey(old)), undefined);
    assert.equal(await ports.bindings.findOwner(asEmailKey(next)), userId);
    assert.deepEqual((await eventsOf(userId)).map(({ kind }) => kind).toSorted(), [
      'email.bound',
      'email.bound',
      'email.replaced',
    ]);
    assert.deepEqual(await bind(ports, await newUser(), asPhone(old), noon), { kind: 'bound' });
  });

  it('bindEmail sends no notice for a first e-mail address or another spelling of the same one', async () => {
    const { ports, rows } = open();
    const address = asEmailKey(newEmail());
    const userId = await ownerOf(ports, address, noon);
    const spelled = address.replace('someone', 'SOMEONE');
    const again = binding(await prove(address, userId), userId, spelled, noon);
    assert.deepEqual(await ports.bindings.bindEmail(again), { kind: 'bound' });
    assert.equal((await ports.users.findUser(userId))?.email, spelled);
    const notices = (await rows('outbox')).filter(
      ({ kind, payload }) => kind === 'email-replaced' && payload.includes(address),
    );
    assert.deepEqual(notices, []);
  });

  it('bindEmail writes nothing for a lost code or a taken e-mail address', async () => {
    const { ports, rows } = open();
    const [old, taken] = [newEmail(), newEmail()];
    const userId = await ownerOf(ports, asPhone(old), noon);
    await ownerOf(ports, asPhone(taken), noon);
    const given = await prove(asEmailKey(taken), userId);
    const before = await eventsOf(userId);
    const attempts = [binding(given, userId, taken, noon), binding(given, userId, newEmail(), noon)];
    for (const one of attempts) await ports.bindings.bindEmail(one);
    assert.deepEqual(await eventsOf(userId), before);
    const ids = attempts.map(({ notice }) => notice.id);
    assert.ok((await rows('outbox')).every(({ id }) => !ids.includes(id)));
    assert.equal((await ports.users.findUser(userId))?.email, old);
  });

  it('bindEmail returns gone for a user who was deleted meanwhile', async () => {
    const { ports } = open();
    const userId = await newUser();
    const address = asEmailKey(newEmail());
    const given = await prove(address, userId);
    await ports.users.deleteUser({ userId, now: noon });
    assert.deepEqual(await ports.bindings.bindEmail(binding(given, userId, address, noon)), { kind: 'gone' });
    assert.equal(await ports.bindings.findOwner(address), undefined);
  });

  it('e-mail addresses that differ in one byte have different owners', async () => {
    const { ports } = open();
    const tag = newId();
    const keys = ['a', 'A', 'ß', 'ss'].map((word) => `${word}@${tag}.example`);
    for (const key of keys) {
      const userId = await newUser();
      const input = { ...binding(await prove(asEmailKey(key), userId), userId, key, noon), emailKey: asEmailKey(key) };
      assert.deepEqual(await ports.bindings.bindEmail(input), { kind: 'bound' });
    }
    const owners = await Promise.all(keys.map((key) => ports.bindings.findOwner(asEmailKey(key))));
    assert.equal(new Set(owners).size, 4);
  });
});
