// Contract of BindingStore: an address has one owner, its code is used up with it, and the replaced address is told.
import assert from 'node:assert/strict';
import { it } from 'node:test';
import { challengeSlot } from '../../src/auth/challenge.ts';
import { newId } from '../../src/kernel/random.ts';
import { attempt, bind, binding, newEmail, newPhone, noon, ownerOf, rightAttempt, signIn } from './fixtures.ts';
import { onEveryStore } from './test-store.ts';

onEveryStore('bindings', (open) => {
  const newUser = async () => (await signIn(open().ports, newPhone(), noon)).userId;
  const prove = (address: string, userId: string) => {
    const slot = challengeSlot('email-binding', address, userId);
    return rightAttempt(open().ports, address, noon, { ...attempt(address, noon), slot });
  };
  const eventsOf = async (userId: string) =>
    (await open().rows('audit_events')).filter((event) => event.user_id === userId && event.kind.startsWith('email.'));

  it('binds a free address, keeping it as it was written', async () => {
    const { ports } = open();
    const userId = await newUser();
    const address = newEmail().replace('example', 'Example');
    assert.deepEqual(await bind(ports, userId, address, noon), { kind: 'bound' });
    assert.equal((await ports.users.findUser(userId))?.email, address);
    assert.equal(await ports.bindings.findOwner(address.toLowerCase()), userId);
    assert.equal(await ports.bindings.findOwner(address), undefined);
    assert.equal(await ports.bindings.findOwner(newEmail()), undefined);
  });

  it('uses the code up', async () => {
    const { ports } = open();
    const userId = await newUser();
    const address = newEmail();
    const given = await prove(address, userId);
    assert.deepEqual(await ports.bindings.bindEmail(binding(given, userId, address, noon)), { kind: 'bound' });
    assert.deepEqual(await ports.bindings.bindEmail(binding(given, userId, address, noon)), { kind: 'lost' });
    assert.equal((await ports.bindings.bindEmail(binding(given, userId, newEmail(), noon))).kind, 'refused');
    assert.equal((await ports.users.findUser(userId))?.email, address);
  });

  it('refuses an address that another user owns, and uses the code up', async () => {
    const { ports } = open();
    const address = newEmail();
    const owner = await ownerOf(ports, address, noon);
    const userId = await newUser();
    const given = await prove(address, userId);
    assert.deepEqual(await ports.bindings.bindEmail(binding(given, userId, address, noon)), { kind: 'taken' });
    assert.deepEqual(await ports.bindings.bindEmail(binding(given, userId, address, noon)), { kind: 'lost' });
    assert.equal(await ports.bindings.findOwner(address), owner);
    assert.equal((await ports.users.findUser(userId))?.email, undefined);
  });

  it('gives an address to one of many users who come in one turn of the loop', async () => {
    const { ports } = open();
    const address = newEmail();
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

  it('tells the replaced address in the same commit, and frees it', async () => {
    const { ports, rows } = open();
    const [old, next] = [newEmail(), newEmail()];
    const userId = await ownerOf(ports, old, noon);
    const replacing = binding(await prove(next, userId), userId, next, noon);
    assert.deepEqual(await ports.bindings.bindEmail(replacing), { kind: 'bound' });
    const notice = (await rows('outbox')).find(({ id }) => id === replacing.notice.id);
    assert.deepEqual([notice?.kind, notice?.channel, notice?.state], ['email-replaced', 'mail', 'queued']);
    assert.deepEqual(JSON.parse(notice?.payload ?? ''), { to: old, language: 'en' });
    assert.equal(await ports.bindings.findOwner(old), undefined);
    assert.equal(await ports.bindings.findOwner(next), userId);
    assert.deepEqual((await eventsOf(userId)).map(({ kind }) => kind).toSorted(), [
      'email.bound',
      'email.bound',
      'email.replaced',
    ]);
    assert.deepEqual(await bind(ports, await newUser(), old, noon), { kind: 'bound' });
  });

  it('tells nobody when the first address is bound, or the same one in another spelling', async () => {
    const { ports, rows } = open();
    const address = newEmail();
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

  it('writes nothing for a code that is lost or an address that is taken', async () => {
    const { ports, rows } = open();
    const [old, taken] = [newEmail(), newEmail()];
    const userId = await ownerOf(ports, old, noon);
    await ownerOf(ports, taken, noon);
    const given = await prove(taken, userId);
    const before = await eventsOf(userId);
    const attempts = [binding(given, userId, taken, noon), binding(given, userId, newEmail(), noon)];
    for (const one of attempts) await ports.bindings.bindEmail(one);
    assert.deepEqual(await eventsOf(userId), before);
    const ids = attempts.map(({ notice }) => notice.id);
    assert.ok((await rows('outbox')).every(({ id }) => !ids.includes(id)));
    assert.equal((await ports.users.findUser(userId))?.email, old);
  });

  it('says gone for a user who was deleted meanwhile', async () => {
    const { ports } = open();
    const userId = await newUser();
    const address = newEmail();
    const given = await prove(address, userId);
    await ports.users.deleteUser({ userId, now: noon });
    assert.deepEqual(await ports.bindings.bindEmail(binding(given, userId, address, noon)), { kind: 'gone' });
    assert.equal(await ports.bindings.findOwner(address), undefined);
  });

  it('keeps addresses apart that differ in a byte', async () => {
    const { ports } = open();
    const tag = newId();
    const keys = ['a', 'A', 'ß', 'ss'].map((word) => `${word}@${tag}.example`);
    for (const key of keys) {
      const userId = await newUser();
      const input = { ...binding(await prove(key, userId), userId, key, noon), emailKey: key };
      assert.deepEqual(await ports.bindings.bindEmail(input), { kind: 'bound' });
    }
    const owners = await Promise.all(keys.map((key) => ports.bindings.findOwner(key)));
    assert.equal(new Set(owners).size, 4);
  });
});
