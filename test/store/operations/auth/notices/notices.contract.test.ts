// Contract of NoticeStore: a notice is queued with its link in the commit of what it tells, and its link ends all sessions once.

import assert from 'node:assert/strict';
import { it } from 'node:test';
import {
  draftNotice,
  hashNoticeToken,
  type Notice,
  prepareMailNotice,
  prepareSmsNotice,
  writeMailNotice,
} from '../../../../../src/auth/notices/notice.ts';
import { randomText } from '../../../../../src/kernel/crypto/random.ts';
import { createSecrets } from '../../../../../src/kernel/crypto/secrets.ts';
import { newUserId, type UserId } from '../../../../../src/kernel/ids.ts';
import type { SmsTopic } from '../../../../../src/messages/message-kinds.ts';
import {
  attempt,
  bind,
  binding,
  brakePolicy,
  day,
  linkIssue,
  newEmail,
  newPhone,
  noon,
  ownerOf,
  right,
  sessionDraft,
  signIn,
} from '../../../../helpers/store/fixtures.ts';
import { onEveryStore } from '../../../../helpers/store/test-store.ts';

const secrets = createSecrets('the secret '.repeat(4));
const about = { language: 'en', now: noon } as const;

onEveryStore('notices', (open) => {
  const removal = (userId: UserId, now = noon) => ({
    userId,
    notices: {
      mail: prepareMailNotice(secrets, 'email-removed', { ...about, now }),
      sms: prepareSmsNotice(secrets, 'email-removed', { ...about, now }),
    },
    now,
  });
  const redeem = (notice: Pick<Notice<'notice'>, 'tokenHash'>, now = noon) =>
    open().ports.notices.redeemNotice({ tokenHash: notice.tokenHash, now });
  const queuedTo = async (to: string) => {
    const rows = await open().rows('outbox');
    const kinds = rows.filter(({ payload }) => JSON.parse(payload).to === to).map(({ kind }) => kind);
    return kinds.filter((kind) => kind.startsWith('notice'));
  };

  it('a removed address is notified in the commit of the removal, with a link in each message', async () => {
    const { ports, rows } = open();
    const address = newEmail();
    const userId = await ownerOf(ports, address, noon);
    const given = removal(userId);
    assert.equal(await ports.bindings.removeEmail(given), 'removed');
    assert.deepEqual(await queuedTo(address), ['notice']);
    const links = (await rows('notice_links')).filter((row) => row.user_id === userId);
    assert.deepEqual(
      links.map((row) => [row.state, row.expires_at, row.sweep_at]),
      Array(2).fill(['issued', noon + 3 * day, noon + 4 * day]),
    );
    assert.equal(await ports.bindings.removeEmail(removal(userId)), 'none', 'nothing is left to remove');
    assert.deepEqual(await queuedTo(address), ['notice']);
  });

  it('the link of a notice ends every session and every sign-in link of its user, once, and writes it down', async () => {
    const { ports, rows } = open();
    const phone = newPhone();
    const first = await signIn(ports, phone, noon);
    const second = await signIn(ports, phone, noon);
    const address = newEmail();
    await bind(ports, first.userId, address, noon);
    const other = await signIn(ports, newPhone(), noon);
    const tokenHash = randomText(16);
    await ports.links.issueLink(linkIssue(address, tokenHash, noon));
    const given = removal(first.userId);
    await ports.bindings.removeEmail(given);
    await bind(ports, first.userId, address, noon);
    await ports.links.issueLink(linkIssue(address, randomText(16), noon));
    const outcome = await redeem(given.notices.mail);
    assert.ok(outcome.kind === 'ended');
    assert.deepEqual(outcome.sessionIds.toSorted(), [first.session.id, second.session.id].toSorted());
    assert.deepEqual(await redeem(given.notices.mail), { kind: 'lost' });
    assert.deepEqual(
      await redeem(given.notices.sms),
      { kind: 'ended', sessionIds: [] },
      'another link of the same change',
    );
    assert.deepEqual(await redeem({ tokenHash: hashNoticeToken('x') }), { kind: 'lost' });
    const links = (await rows('login_links')).filter((row) => row.user_id === first.userId);
    assert.ok(links.every((row) => row.state === 'superseded'));
    const ended = (await rows('sessions')).filter((row) => row.user_id === first.userId);
    assert.deepEqual(new Set(ended.map((row) => row.end_reason)), new Set(['not me']));
    assert.equal((await ports.sessions.listSessions({ userId: other.userId, now: noon })).length, 1);
    const events = (await rows('audit_events')).filter((row) => row.kind === 'user.not-me');
    assert.deepEqual(
      events
        .filter((row) => row.user_id === first.userId)
        .map((row) => JSON.parse(row.detail).sessions)
        .toSorted((a, b) => a - b),
      [0, 2],
    );
  });

  it('the link of a notice expires, and goes with its user', async () => {
    const { ports, rows } = open();
    const userId = await ownerOf(ports, newEmail(), noon);
    const given = removal(userId);
    await ports.bindings.removeEmail(given);
    assert.deepEqual(await redeem(given.notices.mail, noon + 3 * day), { kind: 'expired' });
    await ports.users.deleteUser({ userId, now: noon });
    assert.deepEqual(await redeem(given.notices.mail), { kind: 'lost' });
    assert.deepEqual(
      (await rows('notice_links')).filter((row) => row.user_id === userId),
      [],
    );
  });

  it('one of many racing calls with the same link ends the sessions', async () => {
    const { ports } = open();
    const address = newEmail();
    const userId = await ownerOf(ports, address, noon);
    const given = removal(userId);
    await ports.bindings.removeEmail(given);
    const outcomes = await Promise.all(Array.from({ length: 20 }, () => redeem(given.notices.mail)));
    assert.equal(outcomes.filter(({ kind }) => kind === 'ended').length, 1);
  });

  it('a sign-in on a new device is reported to the user in its commit, and one on a known device is not', async () => {
    const { ports } = open();
    const phone = newPhone();
    const { userId } = await signIn(ports, phone, noon);
    const deviceOf = (knownUserId: UserId | undefined) => {
      const notice = draftNotice(secrets, { ...about, device: 'curl' });
      return { knownUserId, isReported: true, notice };
    };
    const address = newEmail();
    await signIn(ports, phone, noon, { device: deviceOf(undefined) });
    await bind(ports, userId, address, noon);
    const known = await signIn(ports, phone, noon, { device: deviceOf(userId) });
    assert.equal(known.hasNotice, false);
    assert.deepEqual(await queuedTo(address), []);
    const fresh = await signIn(ports, phone, noon, { device: deviceOf(newUserId()) });
    assert.equal(fresh.hasNotice, true);
    assert.equal(fresh.phone, phone);
    assert.deepEqual(await queuedTo(address), ['notice']);
    const tokenHash = randomText(16);
    await ports.links.issueLink(linkIssue(address, tokenHash, noon));
    const device = deviceOf(undefined);
    const byLink = await ports.signIns.signInWithLink({ tokenHash, session: sessionDraft(noon), device });
    assert.ok(byLink.kind === 'signed in' && byLink.hasNotice && byLink.phone === phone);
    assert.deepEqual(await queuedTo(address), ['notice', 'notice']);
    assert.equal((await redeem(writeMailNotice(device.notice, 'new-device'))).kind, 'ended');
  });

  it('a wrong code tells nobody', async () => {
    const { ports } = open();
    const phone = newPhone();
    const address = newEmail();
    const { userId } = await signIn(ports, phone, noon);
    const notices = {
      replaced: prepareMailNotice(secrets, 'email-replaced', about),
      bound: prepareMailNotice(secrets, 'email-bound', about),
      sms: undefined,
    };
    const wrong = attempt(address, noon);
    await ports.bindings.bindEmail({ ...binding(wrong, userId, address, noon), notices });
    assert.deepEqual(await queuedTo(address), []);
    assert.equal(right(wrong).given === wrong.given, false);
  });

  it('three notices by text message a day pass for one number, and a second try of one counts nothing', async () => {
    const { ports } = open();
    const phone = newPhone();
    const admit = (messageId: string, now = noon, topic: SmsTopic = 'email-bound') =>
      ports.notices.admitNoticeSms({
        phone,
        country: 'DE',
        policy: brakePolicy,
        topic,
        messageId,
        createdAt: now,
        now,
      });
    for (const messageId of ['a', 'b', 'c', 'a', 'b']) assert.equal(await admit(messageId), true, messageId);
    assert.equal(await admit('d'), false);
    assert.equal(await admit('d', noon + day), true);
    assert.equal(await admit('e', noon, 'phone-changed'), true, 'a notice of the number has a limit of its own');
    for (const id of ['f', 'g', 'h']) assert.equal(await admit(id, noon, 'phone-change-cancelled'), true, id);
    assert.equal(await admit('i', noon, 'phone-change-cancelled'), false);
    assert.equal(
      await admit('j', noon, 'phone-change-scheduled'),
      true,
      'a scheduled change is announced all the same',
    );
  });
});
