// Proof tickets: what is written is read back for ten minutes, tells its holder nothing, and anything else is no ticket.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { readProofTicket, writeProofTicket } from '../../../src/auth/sign-in/proof-ticket.ts';
import { seal } from '../../../src/kernel/crypto/seal.ts';
import { createSecrets } from '../../../src/kernel/crypto/secrets.ts';
import { newUserId } from '../../../src/kernel/ids.ts';
import { asPhone } from '../../helpers/people/ids.ts';
import { minute, noon } from '../../helpers/store/fixtures.ts';

const oldSecret = 'the secret before '.repeat(3);
const secrets = createSecrets('the secret '.repeat(4), oldSecret);
const ticket = { userId: newUserId(), phone: asPhone('+491510000001'), lastUse: noon - 1 };
const text = writeProofTicket(secrets, ticket, noon);

describe('a proof ticket', () => {
  it('a proof ticket holds the account, its number and its last use, for ten minutes', () => {
    assert.deepEqual(readProofTicket(secrets, text, noon), ticket);
    assert.deepEqual(readProofTicket(secrets, text, noon + 10 * minute - 1), ticket);
    assert.equal(readProofTicket(secrets, text, noon + 10 * minute), undefined);
  });

  it('a proof ticket tells nobody the number or the account, and fits the field of the request', () => {
    const bytes = Buffer.from(text.split('.')[2] ?? '', 'base64url');
    for (const secret of [ticket.phone, ticket.userId]) assert.ok(!bytes.includes(Buffer.from(secret)));
    assert.ok(text.length <= 512, String(text.length));
  });

  it('a proof ticket of the previous secret is valid, and one of a forgotten secret is not', () => {
    assert.deepEqual(readProofTicket(secrets, writeProofTicket(createSecrets(oldSecret), ticket, noon), noon), ticket);
    assert.equal(readProofTicket(createSecrets(oldSecret), text, noon), undefined);
  });

  const whole = { ...ticket, endsAt: noon + 1 };
  const invalid: [what: string, text: string][] = [
    ['no ticket', 'hello'],
    ['a ticket with another end', `${text.slice(0, -2)}${text.endsWith('AA') ? 'QA' : 'AA'}`],
    ...(['userId', 'phone', 'lastUse', 'endsAt'] as const).map((name): [string, string] => {
      const content = JSON.stringify({ ...whole, [name]: undefined });
      return [`a ticket without ${name}`, seal(secrets, 'proof ticket', Buffer.from(content))];
    }),
  ];
  for (const [what, given] of invalid)
    it(`${what} is refused`, () => assert.equal(readProofTicket(secrets, given, noon), undefined));
});
