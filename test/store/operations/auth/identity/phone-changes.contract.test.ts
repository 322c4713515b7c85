// Contract of PhoneStore: a number has one owner, changing it uses up the code and ends the other sessions, and a link of the notice undoes it.

import assert from 'node:assert/strict';
import { it } from 'node:test';
import { hashNoticeToken } from '../../../../../src/auth/notices/notice.ts';
import type { SessionId } from '../../../../../src/auth/sessions/session-id.ts';
import { newId } from '../../../../../src/kernel/crypto/random.ts';
import type { UserId } from '../../../../../src/kernel/ids.ts';
import type { PhoneNumber } from '../../../../../src/kernel/recipient.ts';
import { asEmailKey } from '../../../../helpers/people/ids.ts';
import {
  bind,
  brakePolicy,
  day,
  hour,
  newEmail,
  newPhone,
  noon,
  phoneChange,
  sessionDraft,
  signIn,
} from '../../../../helpers/store/fixtures.ts';
import { onEveryStore } from '../../../../helpers/store/test-store.ts';

type Person = { readonly userId: UserId; readonly sessionId: SessionId; readonly phone: PhoneNumber };

onEveryStore('changes of a number', (open) => {
  const newPerson = async (phone = newPhone(), now = noon): Promise<Person> => {
    const { userId, session } = await signIn(open().ports, phone, now);
    return { userId, sessionId: session.id, phone };
  };
  /** With an address: both notices of a change are sent, and both links work. */
  const newOwner = async (): Promise<Person> => {
    const person = await newPerson();
    await bind(open().ports, person.userId, newEmail(), noon);
    return person;
  };
  /** Signed in by link: such a user holds the address, but perhaps not the phone. */
  const byLink = async ({ userId, phone }: Person, address: string): Promise<Person> => {
    const { ports } = open();
    const tokenHash = hashNoticeToken(newId());
    await ports.links.issueLink({
      emailKey: asEmailKey(address),
      tokenHash,
      browserHash: 'browser',
      lifeSeconds: 900,
      requestedAt: noon,
      now: noon,
    });
    const session = sessionDraft(noon, { method: 'link' });
    assert.equal((await ports.signIns.signInWithLink({ tokenHash, session })).kind, 'signed in');
    return { userId, sessionId: session.id, phone };
  };
  const prove = (person: Person, phone: PhoneNumber, now = noon) => phoneChange(open().ports, person, phone, now);
  const change = async (person: Person, phone: PhoneNumber, now = noon) =>
    open().ports.phones.changePhone(await prove(person, phone, now));
  const redeem = (tokenHash: string, now = noon) => open().ports.notices.redeemNotice({ tokenHash, now });
  const phoneOf = async (userId: UserId) => (await open().ports.users.findUser(userId))?.phone;
  const eventsOf = async (userId: UserId) =>
    (await open().rows('audit_events'))
      .filter((event) => event.user_id === userId && event.kind.startsWith('phone.'))
      .map(({ kind, detail }) => [kind, JSON.parse(detail)] as const);
  const queuedTo = async (to: string) =>
    (await open().rows('outbox'))
      .filter(({ kind }) => kind.startsWith('notice'))
      .map(({ payload }) => JSON.parse(payload))
      .filter((payload) => payload.to === to);
  const endOf = async (sessionId: string) =>
    (await open().rows('sessions')).find(({ id }) => id === sessionId)?.end_reason;

  it('changePhone sets a free number at once after a proof by SMS, ends the other sessions, and tells number and address', async () => {
    const { ports } = open();
    const person = await newPerson();
    const other = await newPerson(person.phone);
    const address = newEmail();
    await bind(ports, person.userId, address, noon);
    const next = newPhone();
    const outcome = await change(person, next);
    assert.equal(outcome.kind, 'changed');
    assert.deepEqual(outcome.kind === 'changed' && [outcome.user.phone, outcome.user.email, outcome.sessionIds], [
      next,
      address,
      [other.sessionId],
    ]);
    assert.equal(await phoneOf(person.userId), next);
    assert.deepEqual([await endOf(other.sessionId), await endOf(person.sessionId)], ['phone changed', null]);
    const [sms] = await queuedTo(person.phone);
    const [mail] = (await queuedTo(address)).slice(-1);
    assert.deepEqual([sms?.topic, mail?.topic, mail?.language], ['phone-changed', 'phone-changed', 'de']);
    assert.deepEqual(await queuedTo(next), [], 'the new number gets no message');
    assert.ok(!JSON.stringify(mail).includes(next), 'the mail has the new number masked only');
    const masked = (phone: string) => `${phone.slice(0, 3)}•••${phone.slice(-2)}`;
    assert.deepEqual(await eventsOf(person.userId), [
      ['phone.changed', { how: 'code', sessions: 1, old: masked(person.phone), phone: masked(next) }],
    ]);
    const { isNewUser } = await signIn(ports, person.phone, noon);
    assert.equal(isNewUser, true, 'the old number is free');
  });

  it('changePhone uses up the code, and a wrong one changes nothing', async () => {
    const { ports } = open();
    const person = await newPerson();
    const [next, elsewhere] = [newPhone(), newPhone()];
    const given = await prove(person, next);
    const wrong = { ...given, attempt: { ...given.attempt, given: '314159' } };
    assert.equal((await ports.phones.changePhone(wrong)).kind, 'refused');
    assert.equal(await phoneOf(person.userId), person.phone);
    assert.equal((await ports.phones.changePhone(given)).kind, 'changed');
    assert.equal((await ports.phones.changePhone({ ...given, phone: elsewhere })).kind, 'lost');
    assert.equal(await phoneOf(person.userId), next);
  });

  it('changePhone refuses the number of another user and uses up the code', async () => {
    const { ports } = open();
    const [person, owner] = [await newPerson(), await newPerson()];
    const given = await prove(person, owner.phone);
    assert.deepEqual(await ports.phones.changePhone(given), { kind: 'taken' });
    assert.equal((await ports.phones.changePhone(given)).kind, 'lost');
    assert.deepEqual([await phoneOf(person.userId), await phoneOf(owner.userId)], [person.phone, owner.phone]);
    assert.deepEqual([await eventsOf(person.userId), await queuedTo(person.phone)], [[], []]);
  });

  it('changePhone with the own number succeeds and changes nothing', async () => {
    const person = await newPerson();
    const other = await newPerson(person.phone);
    const outcome = await change(person, person.phone);
    assert.deepEqual([outcome.kind, outcome.kind === 'own' && outcome.user.phone], ['own', person.phone]);
    assert.equal(await endOf(other.sessionId), null);
    assert.deepEqual([await eventsOf(person.userId), await queuedTo(person.phone)], [[], []]);
  });

  it('changePhone schedules three numbers in 24 hours, refuses a fourth and uses up its code, and a proof by SMS changes it all the same', async () => {
    const owner = await newPerson();
    const address = newEmail();
    await bind(open().ports, owner.userId, address, noon);
    const person = await byLink(owner, address);
    for (const late of [0, 1, 2])
      assert.equal((await change(person, newPhone(), noon + late * hour)).kind, 'scheduled');
    const scheduled = (await open().ports.scheduledPhones.findPhoneChange(owner.userId))?.phone;
    const fourth = await prove(person, newPhone(), noon + 3 * hour);
    const outcome = await open().ports.phones.changePhone(fourth);
    assert.equal(outcome.kind === 'limited' && outcome.block.retryAfterSeconds, 21 * 3600);
    assert.equal((await open().ports.phones.changePhone(fourth)).kind, 'lost', 'its code is used up');
    assert.equal((await open().ports.scheduledPhones.findPhoneChange(owner.userId))?.phone, scheduled);
    assert.equal((await queuedTo(owner.phone)).length, 3);
    assert.equal((await change(person, newPhone(), noon + day)).kind, 'scheduled');
    assert.equal((await change(owner, newPhone(), noon + day)).kind, 'changed');
  });

  it('changePhone schedules the number after a proof by link, tells both channels, and a second call replaces it', async () => {
    const { ports, rows } = open();
    const owner = await newPerson();
    const address = newEmail();
    await bind(ports, owner.userId, address, noon);
    const person = await byLink(owner, address);
    const [first, second] = [newPhone(), newPhone()];
    await change(person, first);
    const outcome = await change(person, second, noon + hour);
    assert.deepEqual(outcome, { kind: 'scheduled', phone: second, effectiveAt: noon + hour + 3 * day });
    const row = (await rows('users')).find(({ id }) => id === person.userId);
    assert.deepEqual(
      [row?.phone, row?.next_phone, row?.next_phone_at, row?.next_phone_language],
      [owner.phone, second, noon + hour + 3 * day, 'de'],
    );
    assert.equal(await endOf(owner.sessionId), null, 'no session ends before the change takes effect');
    assert.equal((await queuedTo(owner.phone)).filter(({ topic }) => topic === 'phone-change-scheduled').length, 2);
    const mails = (await queuedTo(address)).filter(({ topic }) => topic === 'phone-change-scheduled');
    assert.deepEqual(
      mails.map(({ at }): number => at).toSorted((a, b) => a - b),
      [noon + 3 * day, noon + hour + 3 * day],
    );
    assert.deepEqual(
      (await eventsOf(person.userId)).map(([kind]) => kind),
      ['phone.change-scheduled', 'phone.change-scheduled'],
    );
    assert.equal((await change(owner, first, noon + 2 * hour)).kind, 'changed');
    const after = (await rows('users')).find(({ id }) => id === person.userId);
    assert.deepEqual([after?.phone, after?.next_phone, after?.next_phone_at], [first, null, null]);
  });

  it('the link of a scheduled change cancels it until it takes effect, however long the wait is', async () => {
    const { ports, rows } = open();
    const owner = await newPerson();
    const address = newEmail();
    await bind(ports, owner.userId, address, noon);
    const given = await prove(await byLink(owner, address), newPhone());
    const { sms, mail } = given.notices.scheduled;
    await ports.phones.changePhone({ ...given, waitSeconds: 10 * 86_400 });
    const links = (await rows('notice_links')).filter(
      ({ kind, user_id }) => kind === 'cancel-phone' && user_id === owner.userId,
    );
    assert.deepEqual(
      links.map(({ expires_at }) => expires_at),
      [noon + 10 * day, noon + 10 * day],
    );
    assert.deepEqual(await redeem(sms.tokenHash, noon + 10 * day), { kind: 'expired' });
    const outcome = await redeem(mail.tokenHash, noon + 10 * day - 1);
    assert.equal(outcome.kind === 'ended' && outcome.hasCancelled, true);
  });

  it('changePhone sets the number of an account without one at once, however its user was proved', async () => {
    const { ports, query } = open();
    const owner = await newPerson();
    const address = newEmail();
    await bind(ports, owner.userId, address, noon);
    const person = await byLink(owner, address);
    await query(`update users set phone = null where id = '${owner.userId}'`);
    const next = newPhone();
    const given = await prove(person, next);
    assert.equal((await ports.phones.changePhone(given)).kind, 'changed');
    assert.equal(await phoneOf(owner.userId), next);
    assert.equal((await redeem(given.notices.changed.mail.tokenHash)).kind, 'ended');
    assert.equal(await phoneOf(owner.userId), undefined, 'the link takes the number away again');
  });

  it('changePhone returns gone for a user who was deleted, and for a session that has ended', async () => {
    const { ports } = open();
    const [deleted, ended] = [await newPerson(), await newPerson()];
    const [one, other] = [await prove(deleted, newPhone()), await prove(ended, newPhone())];
    await ports.users.deleteUser({ userId: deleted.userId, now: noon });
    await ports.sessions.endSessions({ ...ended, scope: 'this', reason: 'revoked', now: noon });
    assert.deepEqual(await ports.phones.changePhone(one), { kind: 'gone' });
    assert.deepEqual(await ports.phones.changePhone(other), { kind: 'gone' });
    assert.equal(await phoneOf(ended.userId), ended.phone);
  });

  it('one of many users who change to one number in one turn of the event loop gets it', async () => {
    const { ports, rows } = open();
    const phone = newPhone();
    const people = await Promise.all(Array.from({ length: 5 }, () => newPerson()));
    const inputs = await Promise.all(people.map((person) => prove(person, phone)));
    const all = await Promise.all(inputs.map((input) => ports.phones.changePhone(input)));
    assert.deepEqual(all.map(({ kind }) => kind).toSorted(), ['changed', 'taken', 'taken', 'taken', 'taken']);
    assert.deepEqual(
      (await rows('users')).filter((user) => user.phone === phone).map(({ id }) => id),
      people.filter((_, index) => all[index]?.kind === 'changed').map(({ userId }) => userId),
    );
  });

  it('users who exchange their numbers in one batch do not get them', async () => {
    const { ports } = open();
    const [one, other] = [await newPerson(), await newPerson()];
    const inputs = [await prove(one, other.phone), await prove(other, one.phone)];
    const all = await Promise.all(inputs.map((input) => ports.phones.changePhone(input)));
    assert.deepEqual(all, [{ kind: 'taken' }, { kind: 'taken' }]);
  });

  it('a number that one user gives up is free for the next input of the batch', async () => {
    const { ports } = open();
    const [leaver, taker] = [await newPerson(), await newPerson()];
    const next = newPhone();
    const inputs = [await prove(leaver, next), await prove(taker, leaver.phone)];
    const all = await Promise.all(inputs.map((input) => ports.phones.changePhone(input)));
    assert.deepEqual(
      all.map(({ kind }) => kind),
      ['changed', 'changed'],
    );
    assert.deepEqual([await phoneOf(leaver.userId), await phoneOf(taker.userId)], [next, leaver.phone]);
  });

  it('a sign-up and a change that race for one number have one winner', async () => {
    const { ports, rows } = open();
    for (let round = 0; round < 5; round++) {
      const person = await newPerson();
      const phone = newPhone();
      const given = await prove(person, phone);
      const [changed] = await Promise.all([ports.phones.changePhone(given), signIn(ports, phone, noon)]);
      const owners = (await rows('users')).filter((user) => user.phone === phone).map(({ id }) => id);
      assert.equal(owners.length, 1);
      assert.equal(changed.kind, owners[0] === person.userId ? 'changed' : 'taken');
    }
  });

  it('the link of a changed number restores the old one and ends all sessions, once', async () => {
    const person = await newOwner();
    const next = newPhone();
    const given = await prove(person, next);
    await open().ports.phones.changePhone(given);
    const thief = await newPerson(next);
    assert.equal(thief.userId, person.userId);
    const { sms, mail } = given.notices.changed;
    const outcome = await redeem(sms.tokenHash);
    assert.deepEqual(
      [outcome.kind, outcome.kind === 'ended' && outcome.sessionIds.toSorted()],
      ['ended', [person.sessionId, thief.sessionId].toSorted()],
    );
    assert.equal(await phoneOf(person.userId), person.phone);
    assert.deepEqual(
      (await eventsOf(person.userId)).map(([kind, detail]) => [kind, detail.how]),
      [
        ['phone.changed', 'code'],
        ['phone.changed', 'undo'],
      ],
    );
    for (const used of [sms, mail]) assert.deepEqual(await redeem(used.tokenHash), { kind: 'lost' });
    assert.equal((await signIn(open().ports, next, noon)).isNewUser, true, 'the new number is free again');
  });

  it('the link of a changed number ends the sessions but restores nothing while another account has the old number', async () => {
    const { ports } = open();
    const person = await newPerson();
    const next = newPhone();
    const given = await prove(person, next);
    await ports.phones.changePhone(given);
    const stranger = await newPerson(person.phone);
    const { tokenHash } = given.notices.changed.sms;
    assert.deepEqual(await redeem(tokenHash), { kind: 'taken', sessionIds: [person.sessionId] });
    assert.deepEqual([await phoneOf(person.userId), await phoneOf(stranger.userId)], [next, person.phone]);
    assert.deepEqual(await redeem(tokenHash), { kind: 'taken', sessionIds: [] }, 'the link stays valid');
    await ports.users.deleteUser({ userId: stranger.userId, now: noon });
    assert.equal((await redeem(tokenHash)).kind, 'ended');
    assert.equal(await phoneOf(person.userId), person.phone);
  });

  it('a thief who changed the number twice cannot restore his own after the owner has restored hers', async () => {
    const { ports } = open();
    const person = await newOwner();
    const [his, hisNext] = [newPhone(), newPhone()];
    const first = await prove(person, his);
    await ports.phones.changePhone(first);
    const second = await prove(person, hisNext, noon + 1);
    await ports.phones.changePhone(second);
    assert.equal((await redeem(second.notices.changed.sms.tokenHash)).kind, 'ended');
    assert.equal(await phoneOf(person.userId), his, 'his link works while hers is unused');
    assert.equal((await redeem(first.notices.changed.sms.tokenHash)).kind, 'ended');
    assert.equal(await phoneOf(person.userId), person.phone);
    assert.deepEqual(await redeem(second.notices.changed.mail.tokenHash), { kind: 'lost' });
    assert.equal(await phoneOf(person.userId), person.phone);
  });

  for (const isOneBatch of [false, true])
    it(`a thief who changes the number to his own and back cannot restore his own later${isOneBatch ? ', also in one batch' : ''}`, async () => {
      const { ports } = open();
      const person = await newOwner();
      const his = newPhone();
      const away = await prove(person, his);
      const back = await prove(person, person.phone, noon + 1);
      if (isOneBatch) await Promise.all([away, back].map((given) => ports.phones.changePhone(given)));
      else for (const given of [away, back]) await ports.phones.changePhone(given);
      const { sms, mail } = back.notices.changed;
      for (const { tokenHash } of [sms, mail])
        assert.equal((await redeem(tokenHash)).kind, 'ended', 'it ends sessions');
      assert.equal(await phoneOf(person.userId), person.phone);
      assert.equal((await redeem(away.notices.changed.sms.tokenHash)).kind, 'ended', 'her link still works');
      assert.equal(await phoneOf(person.userId), person.phone);
    });

  it('a change back ends the links that restore the numbers in between', async () => {
    const { ports } = open();
    const person = await newOwner();
    const [his, hisNext] = [newPhone(), newPhone()];
    const given = [
      await prove(person, his),
      await prove(person, hisNext, noon + 1),
      await prove(person, person.phone, noon + 2),
    ] as const;
    for (const change of given) await ports.phones.changePhone(change);
    assert.deepEqual(await redeem(given[1].notices.changed.sms.tokenHash), { kind: 'lost' });
    assert.equal(await phoneOf(person.userId), person.phone);
  });

  it('one of many racing calls with the links of one change restores the number', async () => {
    const { ports } = open();
    const person = await newOwner();
    const given = await prove(person, newPhone());
    await ports.phones.changePhone(given);
    const { sms, mail } = given.notices.changed;
    const links = [sms, mail, sms, mail, sms];
    const all = await Promise.all(links.map(({ tokenHash }) => redeem(tokenHash)));
    assert.deepEqual(all.map(({ kind }) => kind).toSorted(), ['ended', 'lost', 'lost', 'lost', 'lost']);
    assert.equal(await phoneOf(person.userId), person.phone);
  });

  it('the link of a scheduled change cancels it, and so does any other link of a notice', async () => {
    const { ports, rows } = open();
    const owner = await newPerson();
    const address = newEmail();
    await bind(ports, owner.userId, address, noon);
    const undo = await prove(owner, newPhone());
    await ports.phones.changePhone(undo);
    for (const name of ['cancel', 'undo'] as const) {
      const given = await prove(await byLink(owner, address), newPhone());
      assert.equal((await ports.phones.changePhone(given)).kind, 'scheduled');
      const link = name === 'cancel' ? given.notices.scheduled.sms : undo.notices.changed.mail;
      assert.equal((await redeem(link.tokenHash)).kind, 'ended');
      const row = (await rows('users')).find(({ id }) => id === owner.userId);
      assert.deepEqual([row?.next_phone, row?.next_phone_at, row?.next_phone_language], [null, null, null]);
    }
    const cancelled = (await eventsOf(owner.userId)).filter(([kind]) => kind === 'phone.change-cancelled');
    assert.deepEqual(
      cancelled.map(([, { how }]) => how),
      ['link', 'link'],
    );
  });

  it('a used code counts for the country of the new number', async () => {
    const { ports, rows } = open();
    const person = await newPerson();
    const given = { ...(await prove(person, newPhone())), country: 'FR' };
    assert.equal(brakePolicy.unused, undefined);
    await ports.phones.changePhone(given);
    assert.ok((await rows('limits')).some(({ id }) => id.includes('FR')));
  });
});
