// Contract of LinkStore and of sign-in by link: the newest three are valid, one use ends all, and links end with their e-mail address.

import assert from 'node:assert/strict';
import { it } from 'node:test';
import { newId, randomText } from '../../../../../src/kernel/crypto/random.ts';
import { asPhone } from '../../../../helpers/people/ids.ts';
import {
  bind,
  linkIssue,
  minute,
  newEmail,
  newPhone,
  noon,
  ownerOf,
  sessionDraft,
  signIn,
} from '../../../../helpers/store/fixtures.ts';
import { onEveryStore } from '../../../../helpers/store/test-store.ts';

const life = 15 * minute;

onEveryStore('sign-in links', (open) => {
  const issue = async (address: string, now: number, tokenHash = randomText(16)) => {
    assert.ok(await open().ports.links.issueLink(linkIssue(address, tokenHash, now)));
    return tokenHash;
  };
  const find = async (tokenHash: string, now: number) => open().ports.links.findLink({ tokenHash, now });
  const redeem = async (tokenHash: string, now: number) => {
    const session = sessionDraft(now, { method: 'link' });
    const outcome = await open().ports.signIns.signInWithLink({ tokenHash, session });
    return outcome.kind === 'signed in' ? outcome.userId : outcome.kind;
  };

  it('issueLink sends a sign-in link to the e-mail address as its owner bound it', async () => {
    const { links } = open().ports;
    const address = newEmail();
    await ownerOf(open().ports, address.replace('someone', 'SomeOne'), noon);
    const issued = await links.issueLink(linkIssue(address, 'hash-of-owner', noon));
    assert.deepEqual(issued, { address: address.replace('someone', 'SomeOne') });
  });

  it('issueLink issues no sign-in link for an e-mail address without an owner', async () => {
    const { ports, rows } = open();
    const before = (await rows('login_links')).length;
    assert.equal(await ports.links.issueLink(linkIssue(newEmail(), randomText(16), noon)), undefined);
    assert.equal((await rows('login_links')).length, before);
  });

  it('findLink finds a sign-in link without using it up, and marks it as expired after its time', async () => {
    const address = newEmail();
    await ownerOf(open().ports, address, noon);
    const token = await issue(address, noon);
    for (const at of [0, 1, life - 1]) {
      assert.deepEqual(await find(token, noon + at), {
        address,
        browserHash: 'browser',
        isExpired: false,
        authorizationTicket: undefined,
      });
    }
    assert.equal((await find(token, noon + life))?.isExpired, true);
    assert.equal(await find(randomText(16), noon), undefined);
  });

  it('a sign-in link keeps the ticket of the app that it goes on with, before and after its use', async () => {
    const { links, signIns } = open().ports;
    const address = newEmail();
    await ownerOf(open().ports, address, noon);
    const tokenHash = randomText(16);
    await links.issueLink({ ...linkIssue(address, tokenHash, noon), authorizationTicket: 'ticket' });
    assert.equal((await find(tokenHash, noon))?.authorizationTicket, 'ticket');
    const outcome = await signIns.signInWithLink({ tokenHash, session: sessionDraft(noon, { method: 'link' }) });
    assert.equal(outcome.kind === 'signed in' && outcome.authorizationTicket, 'ticket');
  });

  it('a sign-in link signs in its owner once', async () => {
    const address = newEmail();
    const owner = await ownerOf(open().ports, address, noon);
    const token = await issue(address, noon);
    assert.equal(await redeem(token, noon + life - 1), owner);
    assert.equal(await redeem(token, noon + life - 1), 'lost');
    assert.equal(await find(token, noon), undefined);
    assert.equal(await redeem(randomText(16), noon), 'lost');
    const sessions = (await open().rows('sessions')).filter(({ user_id }) => user_id === owner);
    assert.deepEqual(sessions.map(({ method }) => method).toSorted(), ['link', 'sms']);
  });

  it('a sign-in link that is used too late is reported as expired', async () => {
    const address = newEmail();
    await ownerOf(open().ports, address, noon);
    const token = await issue(address, noon);
    assert.equal(await redeem(token, noon + life), 'expired');
    assert.equal(await redeem(token, noon + life), 'expired');
  });

  it('the newest three sign-in links of a user stay valid', async () => {
    const address = newEmail();
    await ownerOf(open().ports, address, noon);
    const tokens: string[] = [];
    for (let at = 0; at < 5; at++) tokens.push(await issue(address, noon + at));
    const found = await Promise.all(tokens.map((token) => find(token, noon + 10)));
    assert.deepEqual(
      found.map((link) => link !== undefined),
      [false, false, true, true, true],
    );
    assert.equal(await redeem(tokens[0] ?? '', noon + 10), 'lost');
  });

  it('three sign-in links stay valid when many are issued in one turn of the event loop', async () => {
    const address = newEmail();
    await ownerOf(open().ports, address, noon);
    const tokens = await Promise.all(Array.from({ length: 7 }, (_, at) => issue(address, noon + at)));
    const found = await Promise.all(tokens.map((token) => find(token, noon + 10)));
    assert.deepEqual(
      found.map((link) => link !== undefined),
      [false, false, false, false, true, true, true],
    );
  });

  it('the use of a sign-in link ends the other links of that user and of no other user', async () => {
    const [mine, other] = [newEmail(), newEmail()];
    const owner = await ownerOf(open().ports, asPhone(mine), noon);
    await ownerOf(open().ports, asPhone(other), noon);
    const [first, second, foreign] = [await issue(mine, noon), await issue(mine, noon + 1), await issue(other, noon)];
    assert.equal(await redeem(first, noon + 2), owner);
    assert.equal(await find(second, noon + 3), undefined);
    assert.equal(await redeem(second, noon + 3), 'lost');
    assert.ok(await find(foreign, noon + 3));
  });

  it('one of two sign-in links of a user in one turn of the event loop signs in', async () => {
    const address = newEmail();
    const owner = await ownerOf(open().ports, address, noon);
    const tokens = [await issue(address, noon), await issue(address, noon)];
    assert.deepEqual(await Promise.all(tokens.map((token) => redeem(token, noon + 1))), [owner, 'lost']);
  });

  it('a sign-in link is not valid again when the same token is issued again', async () => {
    const address = newEmail();
    await ownerOf(open().ports, address, noon);
    const token = await issue(address, noon);
    assert.ok((await redeem(token, noon + 1)).length > 8);
    await issue(address, noon + 2, token);
    assert.equal(await redeem(token, noon + 3), 'lost');
    const late = await issue(address, noon);
    await issue(address, noon + life - 1, late);
    assert.equal((await find(late, noon + life))?.isExpired, true);
    const old = await issue(address, noon + 5);
    for (const at of [6, 7, 8]) await issue(address, noon + at);
    await issue(address, noon + 9, old);
    assert.equal(await find(old, noon + 10), undefined);
  });

  it('a sign-in link ends when its e-mail address is replaced', async () => {
    const { ports } = open();
    const [old, next] = [newEmail(), newEmail()];
    const owner = await ownerOf(ports, asPhone(old), noon);
    const token = await issue(old, noon);
    assert.deepEqual(await bind(ports, owner, asPhone(next), noon + 1), { kind: 'bound' });
    assert.equal(await find(token, noon + 2), undefined);
    assert.equal(await redeem(token, noon + 2), 'lost');
    assert.deepEqual(await bind(ports, owner, asPhone(old), noon + 3), { kind: 'bound' });
    assert.equal(await find(token, noon + 4), undefined);
    assert.equal(await redeem(token, noon + 4), 'lost');
  });

  it('a sign-in link of a former owner does not work for the next owner of the e-mail address', async () => {
    const { ports } = open();
    const address = newEmail();
    const former = await ownerOf(ports, address, noon);
    const token = await issue(address, noon);
    await bind(ports, former, newEmail(), noon + 1);
    await ownerOf(ports, address, noon + 2);
    await issue(address, noon + 3, token);
    assert.equal(await find(token, noon + 4), undefined);
    assert.equal(await redeem(token, noon + 4), 'lost');
  });

  it('the sign-in link of a blocked user is used up and starts no session', async () => {
    const { ports, query } = open();
    const address = newEmail();
    const owner = await ownerOf(ports, address, noon);
    const token = await issue(address, noon);
    await query(`update users set blocked_at = ${noon} where id = '${owner}' returning id`);
    assert.equal(await redeem(token, noon + 1), 'blocked');
    assert.equal(await redeem(token, noon + 1), 'lost');
  });

  it('a sign-in by link evicts the least recently used session', async () => {
    const { ports } = open();
    const address = newEmail();
    const phone = newPhone();
    const { userId, session } = await signIn(ports, phone, noon);
    await bind(ports, userId, address, noon);
    const token = await issue(address, noon);
    const draft = sessionDraft(noon + 1, { method: 'link' });
    const policy = { ...draft.policy, perUser: 1 };
    const outcome = await ports.signIns.signInWithLink({ tokenHash: token, session: { ...draft, policy } });
    const expected = { kind: 'signed in', userId, phone, claims: {}, isNewUser: false, hasNotice: false };
    assert.deepEqual(outcome, { ...expected, evicted: [session.id], authorizationTicket: undefined });
  });

  it('sign-in links whose tokens differ in one byte are different links', async () => {
    const { ports } = open();
    const tag = newId();
    const tokens = ['a', 'A', 'ß'].map((word) => `${tag}${word}`);
    for (const token of tokens) {
      const address = newEmail();
      await ownerOf(ports, address, noon);
      await issue(address, noon, token);
    }
    const found = await Promise.all([...tokens, `${tag}ss`].map((token) => find(token, noon)));
    assert.equal(new Set(found.slice(0, 3).map((link) => link?.address)).size, 3);
    assert.equal(found[3], undefined);
  });
});
