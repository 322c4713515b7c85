// The rules of sign-in links: which one is valid, which ones a newer one supersedes, and when each ends.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import {
  chooseSuperseded,
  deriveLinkToken,
  hashLinkToken,
  isLinkToken,
  judgeLink,
  type LinkOwner,
  type LinkRecord,
  linkTimes,
  liveLinksPerUser,
} from '../../../src/auth/links/login-link.ts';
import { hmacSha256, sha256 } from '../../../src/kernel/crypto/digest.ts';
import { createSecrets } from '../../../src/kernel/crypto/secrets.ts';
import { asEmailKey } from '../../helpers/people/ids.ts';
import { day, minute, noon } from '../../helpers/store/fixtures.ts';

describe('a sign-in link', () => {
  const link: LinkRecord = { state: 'issued', emailKey: asEmailKey('a@b.c'), expiresAt: noon + 1 };
  const owner: LinkOwner = { emailKey: asEmailKey('a@b.c') };
  const cases: [what: string, LinkRecord | undefined, LinkOwner | undefined, now: number, expected: string][] = [
    ['that was issued', link, owner, noon, 'valid'],
    ['at its end', link, owner, noon + 1, 'expired'],
    ['that is unknown', undefined, owner, noon, 'lost'],
    ['that was used', { ...link, state: 'consumed' }, owner, noon, 'lost'],
    ['that a newer one has superseded', { ...link, state: 'superseded' }, owner, noon, 'lost'],
    ['in a state of a later version', { ...link, state: undefined }, owner, noon, 'lost'],
    ['whose user is gone', link, undefined, noon, 'lost'],
    ['whose user has no address any more', link, { emailKey: undefined }, noon, 'lost'],
    ['whose user has another address', link, { emailKey: asEmailKey('other@b.c') }, noon, 'lost'],
    ['that was used, after its end', { ...link, state: 'consumed' }, owner, noon + 1, 'lost'],
  ];
  for (const [what, record, user, now, expected] of cases) {
    it(`${what} is ${expected}`, () => assert.equal(judgeLink(record, user, now), expected));
  }

  it('ends after its life, and is kept for a day', () => {
    const expiresAt = noon + 15 * minute;
    assert.deepEqual(linkTimes(900, noon), { expiresAt, keptUntil: expiresAt + day });
  });
});

describe('a new sign-in link', () => {
  const issued = (requestedAt: number, state: LinkRecord['state'] = 'issued') => ({ state, requestedAt });

  it('supersedes none while few live', () => {
    assert.deepEqual(chooseSuperseded([]), []);
    assert.deepEqual(chooseSuperseded(Array.from({ length: liveLinksPerUser }, (_, index) => issued(index))), []);
  });

  it('leaves the newest requests, in whatever order their mails came', () => {
    const links = [issued(3), issued(1), issued(5), issued(4), issued(2)];
    assert.deepEqual(
      chooseSuperseded(links).map(({ requestedAt }) => requestedAt),
      [2, 1],
    );
    assert.deepEqual(links[0], issued(3), 'the list itself stays as it is');
  });

  it('does not count links that were used, superseded or are of a later version', () => {
    const ended = [issued(9, 'consumed'), issued(8, 'superseded'), { ...issued(7), state: undefined }];
    assert.deepEqual(chooseSuperseded([...ended, issued(1), issued(2), issued(3)]), []);
  });
});

describe('the token of a sign-in link', () => {
  const secrets = createSecrets('the secret '.repeat(4), 'the secret before '.repeat(3));
  const [current = '', previous = ''] = secrets.ids;

  for (const [what, secretId] of [
    ['current', current],
    ['previous', previous],
  ] as const) {
    it(`the token of a link is derived from its message and nonce with the ${what} secret`, () => {
      const key = secrets.findKey('sign-in link', secretId) ?? assert.fail('no key');
      assert.equal(
        deriveLinkToken(secrets, secretId, 'message', 'nonce'),
        hmacSha256(key, 'message\nnonce', 'base64url'),
      );
    });
  }

  it('the token of a link has 256 bits, and another nonce gives another one', () => {
    const [one = '', other = ''] = ['nonce', 'other'].map((nonce) =>
      deriveLinkToken(secrets, current, 'message', nonce),
    );
    assert.equal(Buffer.from(one, 'base64url').length, 256 / 8);
    assert.notEqual(one, other);
  });

  it('the token of a link whose secret is gone cannot be derived', () => {
    assert.equal(deriveLinkToken(secrets, 'ffff', 'message', 'nonce'), undefined);
  });

  it('the token of a link is kept as a hash', () => assert.equal(hashLinkToken('token'), sha256('token')));

  const cases: [text: string, isToken: boolean][] = [
    [deriveLinkToken(secrets, current, 'message', 'nonce') ?? '', true],
    [`${'aZ09_-'.repeat(7)}x`, true],
    ['', false],
    ['x'.repeat(42), false],
    ['x'.repeat(44), false],
    [`${'x'.repeat(42)}=`, false],
    [`${'x'.repeat(42)}+`, false],
    [`${'x'.repeat(43)}\n`, false],
    [`\n${'x'.repeat(43)}`, false],
    [`${'x'.repeat(42)}é`, false],
  ];
  for (const [text, isToken] of cases) {
    it(`the text ${JSON.stringify(text)} ${isToken ? 'has' : 'does not have'} the form of a link token`, () => {
      assert.equal(isLinkToken(text), isToken);
    });
  }
});
