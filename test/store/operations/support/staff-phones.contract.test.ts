// Contract of changes of number by staff: the change, its notices and its audit event are one commit; staff cancel it likewise.

import assert from 'node:assert/strict';
import { it } from 'node:test';
import { preparePhoneNotices } from '../../../../src/auth/identity/phone-change.ts';
import { createSecrets } from '../../../../src/kernel/crypto/secrets.ts';
import type { UserId } from '../../../../src/kernel/ids.ts';
import type { PhoneNumber } from '../../../../src/kernel/recipient.ts';
import { createOperatorPorts } from '../../../../src/store/ports.ts';
import { asUserId } from '../../../helpers/people/ids.ts';
import { bind, newEmail, newPhone, noon, signIn } from '../../../helpers/store/fixtures.ts';
import { onEveryStore } from '../../../helpers/store/test-store.ts';

const by = { actor: 'admin', admin: 'Ada', token: 'token', why: 'ticket 4712' } as const;
const secrets = createSecrets('staff-phones-0123456789-0123456789-0123456789');
const hour = 3_600_000;

onEveryStore('changes of number by staff', (open) => {
  const directory = () => createOperatorPorts(open().store).directory;
  const begin = async () => {
    const [phone, email] = [newPhone(), newEmail()];
    const { userId } = await signIn(open().ports, phone, noon);
    await bind(open().ports, userId, email, noon);
    return { userId, phone, email };
  };
  const schedule = (userId: UserId, phone: PhoneNumber, now = noon) => {
    const notices = preparePhoneNotices(secrets, 'phone-change-scheduled', { language: 'de', now });
    return directory().schedulePhone({ userId, phone, waitSeconds: 3600, language: 'de', notices, by, now });
  };
  const cancel = (userId: UserId) => {
    const notices = preparePhoneNotices(secrets, 'phone-change-cancelled', { language: 'de', now: noon });
    return open().ports.scheduledPhones.cancelPhoneChange({ userId, by, notices, now: noon });
  };
  const rowOf = async (userId: UserId) => (await open().rows('users')).find(({ id }) => id === userId);
  const eventsOf = async (userId: UserId, kind: string) =>
    (await open().rows('audit_events'))
      .filter((event) => event.user_id === userId && event.kind === kind)
      .map(({ detail }) => JSON.parse(detail));
  const noticesOf = async (userId: UserId) => {
    const links = (await open().rows('notice_links')).filter((link) => link.user_id === userId);
    const messages = (await open().rows('outbox')).map(({ payload }) => JSON.parse(payload));
    return { links: links.map(({ kind }) => kind), messages };
  };

  it('the change is scheduled after the wait, both channels get a link that cancels it, and the event names staff and reason', async () => {
    const { userId, phone, email } = await begin();
    const next = newPhone();
    assert.deepEqual(await schedule(userId, next), { kind: 'scheduled', phone: next, effectiveAt: noon + hour });
    const row = await rowOf(userId);
    assert.deepEqual(
      [row?.phone, row?.next_phone, row?.next_phone_at, row?.next_phone_language],
      [phone, next, noon + hour, 'de'],
    );
    const { links, messages } = await noticesOf(userId);
    assert.deepEqual(links, ['cancel-phone', 'cancel-phone']);
    const about = messages.filter(({ topic }) => topic === 'phone-change-scheduled');
    assert.deepEqual(
      about
        .map(({ to }): string => to)
        .filter((to) => [phone, email].includes(to))
        .toSorted(),
      [phone, email].toSorted(),
    );
    const [event] = await eventsOf(userId, 'phone.change-scheduled');
    assert.deepEqual(
      [event.admin, event.why, event.effectiveAt],
      ['Ada', 'ticket 4712', new Date(noon + hour).toISOString()],
    );
    assert.ok(!JSON.stringify(event).includes(next), 'the number is masked');
  });

  it('a second change replaces the first and starts the wait anew', async () => {
    const { userId } = await begin();
    const [first, second] = [newPhone(), newPhone()];
    await schedule(userId, first);
    await schedule(userId, second, noon + 5);
    const row = await rowOf(userId);
    assert.deepEqual([row?.next_phone, row?.next_phone_at], [second, noon + 5 + hour]);
  });

  it('three numbers are scheduled in 24 hours, however many are asked for at once', async () => {
    const { userId } = await begin();
    const other = await begin();
    const outcomes = await Promise.all(Array.from({ length: 8 }, () => schedule(userId, newPhone())));
    assert.deepEqual(outcomes.map(({ kind }) => kind).toSorted(), [
      ...Array(5).fill('limited'),
      ...Array(3).fill('scheduled'),
    ]);
    assert.equal((await eventsOf(userId, 'phone.change-scheduled')).length, 3);
    assert.equal((await noticesOf(userId)).links.length, 6);
    await cancel(userId);
    const late = await schedule(userId, newPhone(), noon + 23 * hour);
    assert.equal(late.kind === 'limited' && late.block.retryAfterSeconds, 3600, 'a cancelled one counts too');
    assert.equal((await rowOf(userId))?.next_phone, null);
    assert.equal((await schedule(other.userId, newPhone())).kind, 'scheduled');
    assert.equal((await schedule(userId, newPhone(), noon + 24 * hour)).kind, 'scheduled');
  });

  it('a number of another user, one’s own number and an unknown user change nothing and tell nobody', async () => {
    const [ann, bob] = [await begin(), await begin()];
    const before = await noticesOf(ann.userId);
    assert.deepEqual(await schedule(ann.userId, bob.phone), { kind: 'taken' });
    assert.deepEqual(await schedule(ann.userId, ann.phone), { kind: 'own' });
    assert.deepEqual(await schedule(asUserId('nobody'), newPhone()), { kind: 'gone' });
    assert.equal((await rowOf(ann.userId))?.next_phone, null);
    assert.deepEqual(await noticesOf(ann.userId), before);
    assert.deepEqual(await eventsOf(ann.userId, 'phone.change-scheduled'), []);
  });

  it('staff cancel a scheduled change once, with their name and reason', async () => {
    const { userId, phone } = await begin();
    await schedule(userId, newPhone());
    assert.deepEqual(
      [await cancel(userId), await cancel(userId), await cancel(asUserId('nobody'))],
      [true, false, false],
    );
    const row = await rowOf(userId);
    assert.deepEqual([row?.phone, row?.next_phone, row?.next_phone_at], [phone, null, null]);
    const events = await eventsOf(userId, 'phone.change-cancelled');
    assert.deepEqual(
      events.map(({ how, admin, why }) => [how, admin, why]),
      [['staff', 'Ada', 'ticket 4712']],
    );
  });

  it('of a change by staff and its cancellation at once, the row and the events agree', async () => {
    const { userId } = await begin();
    const next = newPhone();
    await schedule(userId, newPhone());
    const [scheduled, cancelled] = await Promise.all([schedule(userId, next), cancel(userId)]);
    assert.equal(scheduled.kind, 'scheduled');
    assert.equal(cancelled, true);
    const left = (await rowOf(userId))?.next_phone;
    assert.ok(left === null || left === next);
    assert.equal((await eventsOf(userId, 'phone.change-cancelled')).length, 1);
  });

  it('the last use is the latest of the sign-up, the recorded use and the sessions', async () => {
    const { userId } = await begin();
    assert.equal(await directory().findLastUse(userId), noon);
    await open().query(`update sessions set last_used_at = ${noon + 7} where user_id = '${userId}'`);
    assert.equal(await directory().findLastUse(userId), noon + 7);
    await open().query(`update users set seen_at = ${noon + 9} where id = '${userId}'`);
    assert.equal(await directory().findLastUse(userId), noon + 9);
    await open().query(`update users set seen_at = null where id = '${userId}'`);
    await open().query(`delete from sessions where user_id = '${userId}'`);
    assert.equal(await directory().findLastUse(userId), noon, 'an account of an older version');
    assert.equal(await directory().findLastUse(asUserId('nobody')), undefined);
  });
});
