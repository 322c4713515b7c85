// Branded texts: one kind of text does not compile where another is wanted, from the ports to the rows.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { prefixId } from '../../src/abuse/sms-brake.ts';
import { challengeSlot } from '../../src/auth/codes/challenge.ts';
import type { EmailBinding } from '../../src/auth/identity/email-binding.ts';
import type { User } from '../../src/auth/identity/user.ts';
import type { AccessClaims } from '../../src/auth/tokens/access-token.ts';
import { newFileId, newReservationId } from '../../src/files/stored-file.ts';
import type { EmailAddress, EmailKey, PhoneNumber } from '../../src/kernel/recipient.ts';
import { maskPhone } from '../../src/kernel/text/mask.ts';
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

function swapUsersAndFiles({ users, files, sharing, sessions }: Ports, { userId, sessionId }: AccessClaims): unknown[] {
  const fileId = newFileId();
  const now = 0;
  return [
    users.findUser(userId),
    // @ts-expect-error the id of a session is that of no user
    users.findUser(sessionId),
    // @ts-expect-error the id of a file is that of no user
    users.deleteUser({ userId: fileId, now }),
    // @ts-expect-error the id of a session is that of no user
    sessions.listSessions({ userId: sessionId, now }),
    files.findFile({ id: fileId, now }),
    // @ts-expect-error the id of a user is that of no file
    files.findFile({ id: userId, now }),
    // @ts-expect-error the id of a file is that of no user
    files.usage(fileId),
    files.release(newReservationId()),
    // @ts-expect-error the id of a user is that of no upload
    files.release(userId),
    // @ts-expect-error the id of a file is that of no upload
    files.release(fileId),
    sharing.findFor({ id: fileId, userId, now }),
    // @ts-expect-error the id of a user is that of no file
    sharing.listLinks({ fileId: userId, userId, now }),
    { id: fileId, user_id: userId } satisfies Partial<Row<'files'>>,
    // @ts-expect-error the id of a user is that of no file in a row either
    { id: userId } satisfies Partial<Row<'files'>>,
  ];
}

function swapRecipients({ backendUsers }: Ports, { phone, key }: Texts): unknown[] {
  return [
    maskPhone(phone),
    // @ts-expect-error an address is no number
    maskPhone(key),
    prefixId(phone),
    // @ts-expect-error an address is no number
    prefixId(key),
    challengeSlot('phone-login', phone),
    // @ts-expect-error an address gets no code by SMS
    challengeSlot('phone-login', key),
    challengeSlot('email-binding', key),
    // @ts-expect-error a number gets no code by mail
    challengeSlot('email-binding', phone),
    backendUsers.find({ by: 'phone', text: phone }),
    // @ts-expect-error nobody has an address as the number
    backendUsers.find({ by: 'phone', text: key }),
  ];
}

const noPolicy = { idleSeconds: 0, lifeSeconds: 0, graceSeconds: 0, perUser: 0 };

describe('branded texts', () => {
  it('a number, an address and the key of an address do not compile where another of them is wanted', () =>
    assert.equal(typeof swapAddresses, 'function'));
  it('the id of a user, of a session or of a file does not compile where another of them is wanted', () =>
    assert.equal(typeof swapUsersAndFiles, 'function'));
  it('an address does not compile where the number of an SMS is wanted', () =>
    assert.equal(typeof swapRecipients, 'function'));
  it('the id of a user does not compile where that of a session is wanted', () =>
    assert.equal(typeof swapIds, 'function'));
});
