// What signs a user in: the number and the address of an account, and what a sign-in by them needs.
import { by, type Grant, record } from './grant.ts';

const restored = ['gatehouse import users', 'gatehouse restore', 'gatehouse recover'];

export const wayInGrants = {
  'way in: a number': {
    id: 'GR01',
    by: {
      ...by(
        [
          'POST /api/auth/phone/login',
          'POST /api/auth/phone/claim',
          'PUT /api/auth/phone/change',
          'POST /api/auth/not-me',
          'POST /api/admin/users/:id/phone-change',
        ],
        record,
      ),
      ...by(['gatehouse users change-phone', ...restored]),
    },
    needs:
      'a code to that number. To replace one also a recent sign-in: at once after a proof by SMS, otherwise after `PHONE_RECOVERY_WAIT`, and for an account without a number at once. The link of a notice restores the old one. Staff and the command line need no code, only a reason: the wait is the same, and the number and the address are notified. An import takes what the other service had verified, a restore what the backup has',
    lives: 'as long as the account. A sign-out leaves it',
    ends: {
      'another number': [
        'test/http/routes/auth/identity/change-phone.live.test.ts',
        'a code to the new number changes it at once',
      ],
      'the link of the notice about it': [
        'test/http/routes/auth/identity/change-phone.live.test.ts',
        'and each link restores the number once',
      ],
      'while it waits: the user': [
        'test/http/routes/auth/identity/scheduled-phone.live.test.ts',
        'a user cancels the change without a recent sign-in',
      ],
      'or a sign-in with the old number': [
        'test/http/routes/auth/identity/scheduled-phone.live.test.ts',
        'a sign-in with the old number cancels the change and is reported',
      ],
      'or staff': [
        'test/store/operations/support/staff-phones.contract.test.ts',
        'staff cancel a scheduled change once',
      ],
      'a new holder of the number, after `PHONE_RECYCLED_AFTER`': [
        'test/store/operations/auth/sign-in/phone-claims.contract.test.ts',
        'a claim makes a new user with the number, and the old account keeps everything but the number',
      ],
      'a block': ['test/http/routes/auth/sign-in/sign-in-with-phone.live.test.ts', 'a blocked user gets USER_BLOCKED'],
      'a deletion': [
        'test/store/operations/auth/identity/users.contract.test.ts',
        'the phone and the e-mail address of a deleted user are free again',
      ],
    },
    held: [
      ['test/http/routes/auth/identity/change-phone.live.test.ts', 'a change needs a recent sign-in'],
      ['test/http/routes/auth/identity/change-phone.live.test.ts', 'a user who signed in by link must wait'],
      [
        'test/store/operations/support/staff-phones.contract.test.ts',
        'the change is scheduled after the wait, both channels get a link',
      ],
      ['test/backend/import/draft-user.test.ts', 'a user without a proved way in is refused with the reasons'],
    ],
    gap: 'An access token of the ten minutes after a sign-in by SMS changes the number, with a code to the new one; the notices undo that for 72 hours',
  },
  'way in: an address': {
    id: 'GR02',
    by: { ...by(['PUT /api/auth/email/add'], record), ...by(restored) },
    needs:
      'an access token and a code to that address; to replace one also a recent sign-in. An import takes what the other service had verified, a restore what the backup has',
    lives: 'as long as the account. A sign-out and “this was not me” leave it',
    ends: {
      'another address': [
        'test/http/routes/auth/identity/bind-email.live.test.ts',
        'a new e-mail address replaces the old one',
      ],
      'removal by the user': [
        'test/http/routes/auth/notices/report-not-me.live.test.ts',
        'a removed address no longer signs in',
      ],
      'or by staff, if there is a number': [
        'test/commands/users/users.live.test.ts',
        'users remove-email removes the address once, with a reason, and not the last way in',
      ],
      'a block': [
        'test/store/operations/auth/links/links.contract.test.ts',
        'the sign-in link of a blocked user is used up and starts no session',
      ],
      'a deletion': [
        'test/store/operations/auth/identity/users.contract.test.ts',
        'the phone and the e-mail address of a deleted user are free again',
      ],
    },
    held: [
      [
        'test/http/routes/auth/sessions/prove-session.live.test.ts',
        'a first address is bound at any time, and replaced only after a recent proof',
      ],
      ['test/backend/import/draft-user.test.ts', 'a user without a proved way in is refused with the reasons'],
    ],
    gap: 'A stolen access token of any age binds the first address of an account that has none. It then signs its holder in, and outlives the token and its session. The number is told if the sign-in is older than ten minutes, or with `NOTICES=mail+sms`; nobody is with `off`',
  },
} as const satisfies Readonly<Record<string, Grant>>;
