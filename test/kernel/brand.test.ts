// Branded texts: one kind of text does not compile where another is wanted, from the ports to the rows.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { EmailAddress, EmailKey } from '../../src/auth/identity/email-address.ts';
import type { EmailBinding } from '../../src/auth/identity/email-binding.ts';
import type { PhoneNumber } from '../../src/auth/identity/phone-number.ts';
import type { User } from '../../src/auth/identity/user.ts';
import type { AccessClaims } from '../../src/auth/tokens/access-token.ts';
import type { Row } from '../../src/store/engine/schema.ts';
import type { Ports } from '../../src/store/ports.ts';

type Texts = {
  readonly text: string;
  readonly phone: PhoneNumber;
  readonly email: EmailAddress;
  readonly key: EmailKey;
};

/** The check of types says so if a line compiles that must not. None of these calls is made. */
function swapAddresses({ bindings }: Ports, { text, phone, email, key }: Texts): unknown[] {
  return [
    bindings.findOwner(key),
    // @ts-expect-error a text that no parser has seen is no key
    bindings.findOwner(text),
    // @ts-expect-error an address as it was written is no key: it may have capital letters
    bindings.findOwner(email),
    // @ts-expect-error a number is no key
    bindings.findOwner(phone),
    { phone, email } satisfies Pick<User, 'phone' | 'email'>,
    // @ts-expect-error a number is no address
    { email: phone } satisfies Pick<User, 'email'>,
    // @ts-expect-error an address is no number
    { phone: email } satisfies Pick<User, 'phone'>,
    { address: email, emailKey: key } satisfies Pick<EmailBinding, 'address' | 'emailKey'>,
    // @ts-expect-error users are notified by mail at the address as they wrote it
    { address: key } satisfies Pick<EmailBinding, 'address'>,
    // @ts-expect-error addresses are compared by their keys
    { emailKey: email } satisfies Pick<EmailBinding, 'emailKey'>,
    { phone, email, email_key: key } satisfies Partial<Row<'users'>>,
    // @ts-expect-error a number is no address in a row either
    { email: phone } satisfies Partial<Row<'users'>>,
    // @ts-expect-error an address is no key in a row either
    { email_key: email } satisfies Partial<Row<'users'>>,
  ];
}

function swapIds({ sessions }: Ports, { userId, sessionId }: Pick<AccessClaims, 'userId' | 'sessionId'>): unknown[] {
  const ending = { userId, sessionId, scope: 'this', reason: 'revoked', now: 0 } as const;
  return [
    sessions.endSessions(ending),
    // @ts-expect-error the id of a user is that of no session
    sessions.endSessions({ ...ending, sessionId: userId }),
    sessions.rotate({ sessionId, seedHash: '', counter: 0, policy: noPolicy, now: 0 }),
    // @ts-expect-error a text that no token and no row holds is the id of no session
    sessions.rotate({ sessionId: '', seedHash: '', counter: 0, policy: noPolicy, now: 0 }),
    { id: sessionId, user_id: userId } satisfies Partial<Row<'sessions'>>,
    // @ts-expect-error the id of a user is that of no session in a row either
    { id: userId } satisfies Partial<Row<'sessions'>>,
  ];
}

const noPolicy = { idleSeconds: 0, lifeSeconds: 0, graceSeconds: 0, perUser: 0 };

describe('branded texts', () => {
  it('a number, an address and the key of an address do not compile where another of them is wanted', () =>
    assert.equal(typeof swapAddresses, 'function'));
  it('the id of a user does not compile where that of a session is wanted', () =>
    assert.equal(typeof swapIds, 'function'));
});
