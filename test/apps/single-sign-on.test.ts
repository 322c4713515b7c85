// The cookie SSO: only a text that the service wrote, with a secret that it still has, names a session.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { readSingleSignOn, writeSingleSignOn } from '../../src/apps/single-sign-on.ts';
import { newId } from '../../src/kernel/crypto/random.ts';
import { seal } from '../../src/kernel/crypto/seal.ts';
import { createSecrets } from '../../src/kernel/crypto/secrets.ts';
import { asSessionId } from '../helpers/people/ids.ts';

const oldSecret = 'the secret before '.repeat(3);
const secrets = createSecrets('the secret '.repeat(4), oldSecret);
const sessionId = asSessionId(newId());
const text = writeSingleSignOn(secrets, sessionId);

describe('the cookie SSO', () => {
  it('the cookie SSO names the session for which it was written, also after a change of the secret', () => {
    assert.equal(readSingleSignOn(secrets, text), sessionId);
    assert.equal(readSingleSignOn(secrets, writeSingleSignOn(createSecrets(oldSecret), sessionId)), sessionId);
    assert.match(text, /^[\w.-]+$/);
  });

  it('the cookie SSO of an older version is still read', () => {
    assert.equal(readSingleSignOn(secrets, seal(secrets, 'single sign-on', Buffer.from(sessionId))), sessionId);
  });

  const [secretId = '', , mac = ''] = text.split('.');
  const others: [what: string, text: string][] = [
    ['nothing', ''],
    ['no MAC', `${secretId}.${sessionId}`],
    ['an empty MAC', `${secretId}.${sessionId}.`],
    ['the id of another session', `${secretId}.${newId()}.${mac}`],
    ['another MAC', `${secretId}.${sessionId}.${mac.startsWith('A') ? 'B' : 'A'}${mac.slice(1)}`],
    ['a MAC with padding', `${text}=`],
    ['a fourth part', `${text}.x`],
    ['an unknown secret', `0000.${sessionId}.${mac}`],
    ['a forgotten secret', writeSingleSignOn(createSecrets('forgotten '.repeat(4)), sessionId)],
    ['a session id that is sealed for another purpose', seal(secrets, 'proof ticket', Buffer.from(sessionId))],
    ['too much', seal(secrets, 'single sign-on', Buffer.alloc(600))],
  ];
  for (const [what, other] of others)
    it(`the cookie SSO with ${what} names no session`, () => assert.equal(readSingleSignOn(secrets, other), undefined));
});
