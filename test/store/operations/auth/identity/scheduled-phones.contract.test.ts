// Contract of ScheduledPhoneStore: a scheduled change is cancelled or takes effect, once, with everything that belongs to it.

import assert from 'node:assert/strict';
import { it } from 'node:test';
import { preparePhoneNotices } from '../../../../../src/auth/identity/phone-change.ts';
import { draftNotice } from '../../../../../src/auth/notices/notice.ts';
import { createSecrets } from '../../../../../src/kernel/crypto/secrets.ts';
import type { UserId } from '../../../../../src/kernel/ids.ts';
import type { PhoneTopic } from '../../../../../src/messages/message-kinds.ts';
import { asSessionId, asUserId } from '../../../../helpers/people/ids.ts';
import {
  bind,
  day,
  hour,
  linkIssue,
  newEmail,
  newPhone,
  noon,
  sessionDraft,
  signIn,
} from '../../../../helpers/store/fixtures.ts';
import { onEveryStore } from '../../../../helpers/store/test-store.ts';

const secrets = createSecrets('the secret '.repeat(4));
const later = noon + 3 * day;
const waitSeconds = 3 * 86_400;

onEveryStore('scheduled changes of a phone number', (open) => {
  const noticesAt = (now: number, topic: PhoneTopic = 'phone-changed') =>
    preparePhoneNotices(secrets, topic, { language: 'en', now });
  /** A user with an address who will have another number. */
  const begin = async ({ at = later, next = newPhone(), language = "'de'" } = {}) => {
    const phone = newPhone();
    const email = newEmail();
    const { userId, session } = await signIn(open().ports, phone, noon);
    await bind(open().ports, userId, email, noon);
    await schedule(userId, next, at, language);
    return { userId, session, phone, next, email };
  };
  const schedule = (userId: UserId, next: string, at: number, language = "'de'") =>
    open().query(
      `update users set next_phone = '${next}', next_phone_at = ${at}, next_phone_language = ${language}
        where id = '${userId}'`,
    );
  const cancel = (userId: UserId, now = noon) =>
    open().ports.scheduledPhones.cancelPhoneChange({
      userId,
      sessionId: asSessionId('session'),
      notices: noticesAt(now, 'phone-change-cancelled'),
      now,
    });
  const apply = (now = later, most = 20) =>
    open().ports.scheduledPhones.applyPhoneChanges({
      notices: Array.from({ length: most }, () => noticesAt(now)),
      waitSeconds,
      now,
    });
  const userOf = async (userId: UserId) => (await open().rows('users')).find(({ id }) => id === userId);
  const eventsOf = async (userId: UserId) =>
    (await open().rows('audit_events'))
      .filter((event) => event.user_id === userId && event.kind.startsWith('phone.'))
      .map(({ kind, detail }) => ({ kind, ...JSON.parse(detail) }));
  const messagesTo = async (...recipients: string[]) =>
    (await open().rows('outbox'))
      .map(({ payload, ...row }) => ({ ...row, ...JSON.parse(payload) }))
      .filter(({ kind, to }) => kind.startsWith('notice') && recipients.includes(to))
      .map(({ to, topic, language }): string => [to, topic, language].join(' '))
      .toSorted();
  const linksOf = async (userId: UserId) =>
    (await open().rows('notice_links')).filter((link) => link.user_id === userId);

  it('a user sees the scheduled change, and none after it was cancelled', async () => {
    const { userId, next } = await begin();
    const find = () => open().ports.scheduledPhones.findPhoneChange(userId);
    assert.deepEqual(await find(), { phone: next, effectiveAt: later });
    assert.equal(await cancel(userId), true);
    assert.equal(await find(), undefined);
    assert.equal(await cancel(userId), false, 'there is nothing left to cancel');
    assert.equal(await open().ports.scheduledPhones.findPhoneChange(asUserId('nobody')), undefined);
  });

  it('a cancelled change is announced to the number and the address, and written down', async () => {
    const { userId, phone, email, next } = await begin();
    await cancel(userId);
    assert.deepEqual(await messagesTo(phone, email, next), [
      `${phone} phone-change-cancelled en`,
      `${email} phone-change-cancelled en`,
    ]);
    const [event, ...others] = await eventsOf(userId);
    assert.deepEqual([event?.kind, event?.how, others], ['phone.change-cancelled', 'user', []]);
    assert.ok(!JSON.stringify(event).includes(next), 'the number is masked');
    assert.equal((await userOf(userId))?.phone, phone);
    await apply();
    assert.equal((await userOf(userId))?.phone, phone);
  });

  it('a change takes effect when it is due and not before, and ends every session', async () => {
    const { userId, session, phone, next, email } = await begin();
    const other = await signIn(open().ports, newPhone(), noon);
    assert.deepEqual(await apply(later - 1), []);
    const { scheduledPhones } = open().ports;
    assert.equal(await scheduledPhones.countDuePhoneChanges({ now: later - 1, most: 20 }), 0);
    assert.equal(await scheduledPhones.countDuePhoneChanges({ now: later, most: 20 }), 1);
    assert.deepEqual(await apply(), [{ kind: 'applied', sessionIds: [session.id] }]);
    const row = await userOf(userId);
    assert.deepEqual(
      [row?.phone, row?.next_phone, row?.next_phone_at, row?.next_phone_language],
      [next, null, null, null],
    );
    const ended = (await open().rows('sessions')).filter((each) => each.ended_at !== null && each.user_id === userId);
    assert.deepEqual(
      ended.map((each) => [each.id, each.end_reason, each.ended_at]),
      [[session.id, 'phone changed', later]],
    );
    assert.equal((await open().ports.sessions.listSessions({ userId: other.userId, now: noon })).length, 1);
    assert.deepEqual(
      await messagesTo(phone, email, next),
      [`${phone} phone-changed de`, `${email} phone-changed de`].toSorted(),
    );
    assert.deepEqual(
      (await linksOf(userId)).map((link) => [link.kind, link.phone, link.state]),
      Array(2).fill(['undo-phone', phone, 'issued']),
    );
    const events = await eventsOf(userId);
    assert.deepEqual(
      events.map(({ kind, how, sessions }) => [kind, how, sessions]),
      [['phone.changed', 'wait', 1]],
    );
    assert.deepEqual(await apply(later + day), [], 'it happens once');
    assert.equal((await signIn(open().ports, next, later)).userId, userId);
  });

  it('a change whose number was taken meanwhile is dropped, written down and announced by mail', async () => {
    const { userId, session, phone, next, email } = await begin();
    await signIn(open().ports, next, noon);
    assert.deepEqual(await apply(), [{ kind: 'taken' }]);
    const row = await userOf(userId);
    assert.deepEqual([row?.phone, row?.next_phone, row?.next_phone_at], [phone, null, null]);
    assert.deepEqual(await messagesTo(phone, email, next), [`${email} phone-change-failed de`]);
    assert.deepEqual(
      (await eventsOf(userId)).map(({ kind, reason }) => [kind, reason]),
      [['phone.change-failed', 'taken']],
    );
    const [alive] = await open().ports.sessions.listSessions({ userId, now: later });
    assert.equal(alive?.id, session.id, 'the sessions go on');
  });

  it('one of two users gets a number that both wait for, and a number that is freed passes on', async () => {
    const next = newPhone();
    const first = await begin({ at: later - 2, next });
    const second = await begin({ at: later - 1, next });
    const third = await begin({ at: later, next: first.phone });
    const kinds = (await apply()).map(({ kind }) => kind);
    assert.deepEqual(kinds, ['applied', 'taken', 'applied']);
    const phones = await Promise.all([first, second, third].map(async ({ userId }) => (await userOf(userId))?.phone));
    assert.deepEqual(phones, [next, second.phone, first.phone]);
  });

  it('a round handles no more changes than it has notices for', async () => {
    await Promise.all([begin(), begin(), begin()]);
    assert.equal(await open().ports.scheduledPhones.countDuePhoneChanges({ now: later, most: 2 }), 2);
    assert.equal((await apply(later, 2)).length, 2);
    assert.equal((await apply(later, 2)).length, 1);
  });

  it('of many rounds at once, one applies a change', async () => {
    const { userId, phone, email } = await begin();
    const rounds = await Promise.all(Array.from({ length: 20 }, () => apply()));
    assert.equal(rounds.flat().length, 1);
    assert.equal((await eventsOf(userId)).length, 1);
    assert.equal((await messagesTo(phone, email)).length, 2);
  });

  it('a sign-in with the old number cancels the change in its commit, and both channels are notified', async () => {
    const { userId, phone, email } = await begin();
    const newDevice = () => {
      const notice = draftNotice(secrets, { language: 'en', now: later });
      return { device: { knownUserId: undefined, isReported: true, notice } };
    };
    const { hasCancelled } = await signIn(open().ports, phone, later, newDevice());
    assert.equal(hasCancelled, true);
    assert.deepEqual(await apply(), []);
    assert.equal((await userOf(userId))?.next_phone, null);
    assert.deepEqual(
      await messagesTo(phone, email),
      [`${phone} phone-change-cancelled en`, `${email} phone-change-cancelled en`, `${email} new-device en`].toSorted(),
    );
    assert.deepEqual(
      (await eventsOf(userId)).map(({ kind, how }) => [kind, how]),
      [['phone.change-cancelled', 'sign-in']],
    );
    assert.equal((await signIn(open().ports, phone, later, newDevice())).hasCancelled, undefined);
  });

  it('a sign-in by link and a refused sign-in leave the change as it is', async () => {
    const { userId, email, phone, next } = await begin();
    await open().ports.links.issueLink(linkIssue(email, `link ${userId}`, noon));
    const byLink = await open().ports.signIns.signInWithLink({
      tokenHash: `link ${userId}`,
      session: sessionDraft(noon, { method: 'link' }),
    });
    assert.equal(byLink.kind, 'signed in');
    await open().query(`update users set blocked_at = ${noon} where id = '${userId}'`);
    await assert.rejects(signIn(open().ports, phone, noon), /blocked/);
    assert.equal((await userOf(userId))?.next_phone, next);
  });

  it('a block stops the wait, and the rest of it follows the block', async () => {
    const { userId, next } = await begin({ at: later });
    const act = (what: 'block' | 'unblock', now: number) =>
      open().store.call('directory.actOn', { userId, act: what, by: { actor: 'cli', why: 'a test' }, now });
    await act('block', later - hour);
    assert.deepEqual(await apply(later + day), []);
    assert.equal(await open().ports.scheduledPhones.countDuePhoneChanges({ now: later + day, most: 1 }), 0);
    await act('unblock', later + day);
    assert.deepEqual(await apply(later + day), []);
    const found = await open().ports.scheduledPhones.findPhoneChange(userId);
    assert.deepEqual(found, { phone: next, effectiveAt: later + day + hour });
    assert.equal((await apply(later + day + hour)).length, 1);
  });

  it('a change survives the removal of the address, and goes with its user', async () => {
    const kept = await begin();
    await open().ports.bindings.removeEmail({ userId: kept.userId, now: noon });
    const gone = await begin();
    await open().ports.users.deleteUser({ userId: gone.userId, now: noon });
    assert.deepEqual(
      (await apply()).map(({ kind }) => kind),
      ['applied'],
    );
    assert.deepEqual(await messagesTo(kept.phone, kept.email), [`${kept.phone} phone-changed de`]);
    assert.equal((await userOf(kept.userId))?.phone, kept.next);
  });

  it('a change that was restored is announced again and waits again, in a language that is known', async () => {
    const { userId, session, phone, next, email } = await begin({ at: 0, language: "'later'" });
    assert.deepEqual(await apply(), [{ kind: 'announced' }]);
    const effectiveAt = later + waitSeconds * 1000;
    assert.deepEqual(await open().ports.scheduledPhones.findPhoneChange(userId), { phone: next, effectiveAt });
    assert.equal((await userOf(userId))?.phone, phone);
    assert.deepEqual(
      await messagesTo(phone, email),
      [`${phone} phone-change-scheduled en`, `${email} phone-change-scheduled en`].toSorted(),
    );
    assert.deepEqual(
      (await linksOf(userId)).map(({ kind }) => kind),
      ['cancel-phone', 'cancel-phone'],
    );
    const [alive] = await open().ports.sessions.listSessions({ userId, now: later });
    assert.equal(alive?.id, session.id);
    assert.deepEqual(await apply(effectiveAt - 1), []);
    assert.equal((await apply(effectiveAt)).length, 1);
  });

  it('the link of a notice cancels a change, says so, and both channels are notified', async () => {
    const { userId, phone, email } = await begin({ at: 0 });
    const notices = noticesAt(later);
    await open().ports.scheduledPhones.applyPhoneChanges({ notices: [notices], waitSeconds, now: later });
    const before = (await messagesTo(phone, email)).length;
    const redeem = (tokenHash: string) =>
      open().ports.notices.redeemNotice({ tokenHash, cancelled: noticesAt(later), now: later });
    assert.equal('hasCancelled' in (await redeem(notices.sms.tokenHash)), true);
    assert.equal('hasCancelled' in (await redeem(notices.mail.tokenHash)), false, 'there is nothing left to cancel');
    assert.equal((await userOf(userId))?.next_phone, null);
    assert.equal((await messagesTo(phone, email)).length, before + 2);
    assert.deepEqual(
      (await eventsOf(userId)).map(({ kind, how }) => [kind, how]),
      [
        ['phone.change-scheduled', undefined],
        ['phone.change-cancelled', 'link'],
      ],
    );
  });

  it('of a cancellation and the change itself, exactly one happens', async () => {
    for (let round = 0; round < 10; round++) {
      const { userId, phone, next, email } = await begin();
      const [isCancelled, outcomes] = await Promise.all([cancel(userId, later), apply()]);
      assert.equal(isCancelled, outcomes.length === 0);
      assert.equal((await userOf(userId))?.phone, isCancelled ? phone : next);
      assert.equal((await eventsOf(userId)).length, 1);
      assert.equal((await messagesTo(phone, email)).length, 2);
    }
  });
});
