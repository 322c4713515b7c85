// Turns a foreign record into a draft of a user: only proved ways in are taken over, and what does not fit is left out with a reason.

import { parseEmailAddress } from '../../auth/identity/email-address.ts';
import { isId } from '../../kernel/crypto/uuid.ts';
import { Failure } from '../../kernel/failure.ts';
import { newUserId, readUserId, type UserId } from '../../kernel/ids.ts';
import type { PhoneNumber } from '../../kernel/recipient.ts';
import type { UserDraft } from '../import-user.ts';
import { eachUserDatum, readUserDatum, type UserDataField, userDataRules } from '../user-data.ts';
import type { ForeignUser } from './foreign-user.ts';

/** `readPhone` throws a Failure for a number that is not served. */
type DraftRules = { readonly readPhone: (text: string) => PhoneNumber; readonly now: number };

export type Drafted =
  | { readonly kind: 'draft'; readonly draft: UserDraft; readonly leftOut: readonly string[] }
  | { readonly kind: 'refused'; readonly reason: string };

export function draftUser(foreign: ForeignUser, { readPhone, now }: DraftRules): Drafted {
  if (foreign.isDeleted === true) return refused('the user is deleted there');
  if (foreign.isIdRounded === true)
    return refused('the id is a number that is too long to be read exactly: write it as text');
  const externalId = takeData('externalId', foreign.externalId, refused);
  if (externalId !== null && typeof externalId === 'object') return externalId;
  const leftOut: string[] = [];
  const note = (reason: string) => {
    leftOut.push(reason);
    return null;
  };
  const phone = takePhone(foreign, readPhone, note);
  const email = takeEmail(foreign, note);
  if (phone === null && email === null) return refused(['no way in', ...leftOut].join(': '));
  const isBlocked = foreign.isBlocked || (foreign.blockedUntil ?? 0) > now;
  const draft: UserDraft = {
    id: ownIdIn(foreign.id) ?? newUserId(),
    ...eachUserDatum((field) => (field === 'externalId' ? externalId : takeData(field, foreign[field], note))),
    phone,
    email: email?.address ?? null,
    emailKey: email?.key ?? null,
    createdAt: pastTime(foreign.createdAt, now) ?? now,
    // Where the last use is not known, the account counts as used now: nobody must prove more than the number.
    seenAt: pastTime(foreign.lastSeenAt, now) ?? now,
    blockedAt: isBlocked ? (pastTime(foreign.blockedAt, now) ?? now) : null,
  };
  return { kind: 'draft', draft, leftOut };
}

function ownIdIn(text: string | undefined): UserId | undefined {
  const id = text === undefined ? undefined : readUserId(text);
  return id !== undefined && isId(id) ? id : undefined;
}

function refused(reason: string): Drafted {
  return { kind: 'refused', reason };
}

function takePhone(
  { phone, isPhoneVerified }: ForeignUser,
  readPhone: (text: string) => PhoneNumber,
  note: (reason: string) => null,
): PhoneNumber | null {
  if (phone === undefined) return null;
  if (!isPhoneVerified) return note('the phone number is not verified');
  return orElse(
    () => readPhone(phone),
    (code) => {
      if (code !== 'PHONE_INVALID') return note('the phone number is not of a type that is served');
      // Mostly a number as people write it at home, or one that has lost its plus sign in a spreadsheet.
      const hasPlus = /^[+＋]/.test(phone);
      return note(
        hasPlus
          ? 'the phone number is not valid'
          : 'the phone number does not begin with a plus sign and a country code',
      );
    },
  );
}

function takeEmail({ email, isEmailVerified }: ForeignUser, note: (reason: string) => null) {
  if (email === undefined) return null;
  if (!isEmailVerified) return note('the e-mail address is not verified');
  // Allowed by the syntax, but in a file it is the mark of a spreadsheet or the rest of a quoted text.
  if (/^['`"]/.test(email)) return note('the e-mail address begins with a quotation mark');
  return orElse(
    () => parseEmailAddress(email),
    () => note('the e-mail address is not valid'),
  );
}

function orElse<T, Other>(read: () => T, otherwise: (code: string) => Other): T | Other {
  try {
    return read();
  } catch (error) {
    if (error instanceof Failure) return otherwise(error.code);
    throw error;
  }
}

/** The same rules as for the back end of an app. */
function takeData<T>(field: UserDataField, value: unknown, otherwise: (reason: string) => T): string | null | T {
  return orElse(
    () => readUserDatum(field, value ?? null),
    (code) => otherwise(userDataRules[field].refusal(code)),
  );
}

/** A time before the epoch or in the future is a mistake of the file. */
function pastTime(time: number | undefined, now: number): number | undefined {
  return time !== undefined && time >= 0 && time <= now ? time : undefined;
}
