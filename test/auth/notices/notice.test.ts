// Notices before they are sent: their messages, the tokens of their links, and whom they go to.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import {
  anotherDraft,
  deriveNoticeToken,
  draftNotice,
  hashNoticeToken,
  isNoticeToken,
  mailNoticeTo,
  noticeLinkSeconds,
  prepareMailNotice,
  prepareSmsNotice,
  smsNoticeTo,
  writeMailNotice,
} from '../../../src/auth/notices/notice.ts';
import { createSecrets } from '../../../src/kernel/crypto/secrets.ts';
import { maskPhone } from '../../../src/kernel/text/mask.ts';
import { asEmail, asPhone, asUserId } from '../../helpers/people/ids.ts';
import { day, noon } from '../../helpers/store/fixtures.ts';

const old = 'the secret before '.repeat(3);
const secrets = createSecrets('the secret '.repeat(4), old);
const about = { language: 'de', now: noon } as const;
const phone = asPhone('+4915112345678');

describe('a notice', () => {
  it('a notice by mail holds the source of its link, and the store gets only the hash of the token', () => {
    const { message, tokenHash } = prepareMailNotice(secrets, 'email-bound', about);
    const { id, payload, ...rest } = message;
    assert.deepEqual(rest, { kind: 'notice', channel: 'mail', createdAt: noon, expiresAt: noon + day });
    const { link, ...shown } = payload;
    assert.deepEqual(shown, { to: '', language: 'de', topic: 'email-bound', at: noon, account: '', device: '' });
    const token = deriveNoticeToken(secrets, id, link) ?? '';
    assert.ok(isNoticeToken(token));
    assert.equal(hashNoticeToken(token), tokenHash);
    assert.ok(!JSON.stringify(message).includes(token));
  });

  it('a draft tells neither the token of its link nor its hash, and is always written as the same notice', () => {
    const draft = draftNotice(secrets, { ...about, device: 'curl' });
    const notice = writeMailNotice(draft, 'new-device');
    assert.deepEqual(writeMailNotice(structuredClone(draft), 'new-device'), notice);
    const token = deriveNoticeToken(secrets, draft.id, notice.message.payload.link) ?? assert.fail();
    assert.equal(hashNoticeToken(token), notice.tokenHash);
    for (const secret of [token, notice.tokenHash]) assert.ok(!JSON.stringify(draft).includes(secret));
  });

  it('another notice of the same request has an id and a link of its own', () => {
    const draft = draftNotice(secrets, about);
    const [one, other] = [draft, anotherDraft(draft)].map((each) => writeMailNotice(each, 'new-device'));
    assert.notEqual(other?.message.id, one?.message.id);
    assert.notEqual(other?.tokenHash, one?.tokenHash);
    const token = deriveNoticeToken(secrets, other?.message.id ?? '', other?.message.payload.link ?? assert.fail());
    assert.equal(hashNoticeToken(token ?? ''), other?.tokenHash);
  });

  it('each notice has a link of its own, and a link works for 72 hours', () => {
    const hashes = [1, 2, 3].map(() => prepareMailNotice(secrets, 'email-bound', about).tokenHash);
    assert.equal(new Set(hashes).size, 3);
    assert.equal(noticeLinkSeconds, 259_200);
  });

  it('a notice is delivered under the previous secret too, and not after it is gone', () => {
    const { message, tokenHash } = prepareSmsNotice(createSecrets(old), 'email-removed', about);
    const { link } = message.payload;
    assert.equal(hashNoticeToken(deriveNoticeToken(secrets, message.id, link) ?? ''), tokenHash);
    assert.equal(deriveNoticeToken(createSecrets('the secret '.repeat(4)), message.id, link), undefined);
  });

  it('a notice by mail goes to the address and names the account by its masked number', () => {
    const notice = prepareMailNotice(secrets, 'new-device', { ...about, device: 'curl' });
    const sent = mailNoticeTo(notice, { userId: asUserId('ann'), phone, address: asEmail('Ann@b.c') });
    const payload = { ...notice.message.payload, to: 'Ann@b.c', account: maskPhone(phone) };
    assert.deepEqual(sent, { userId: 'ann', message: { ...notice.message, payload }, tokenHash: notice.tokenHash });
    assert.equal(payload.device, 'curl');
  });

  it('a notice by text message goes to the number, about what the store found', () => {
    const notice = prepareSmsNotice(secrets, 'email-bound', about);
    const { message, tokenHash, userId } = smsNoticeTo(notice, {
      userId: asUserId('ann'),
      phone,
      topic: 'email-replaced',
    });
    assert.deepEqual(
      [userId, tokenHash, message.kind, message.channel],
      ['ann', notice.tokenHash, 'notice-sms', 'sms'],
    );
    assert.deepEqual(message.payload, { ...notice.message.payload, to: phone, topic: 'email-replaced' });
  });

  it('the token of a sign-in link is not one of a notice', () => {
    for (const text of [
      '',
      'A'.repeat(31),
      'A'.repeat(33),
      'A'.repeat(43),
      `${'A'.repeat(31)}=`,
      `${'A'.repeat(32)}\n`,
    ])
      assert.equal(isNoticeToken(text), false, text);
  });
});
