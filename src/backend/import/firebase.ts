// Reads users from `firebase auth:export`: one JSON object with the list "users", or CSV without a header.
import { isTrue, objectOf, pickTexts, textOf, timeOf } from './fields.ts';
import type { Source } from './foreign-user.ts';
import { splitCsv } from './split-csv.ts';
import { splitJson } from './split-json.ts';

/** The CSV has four columns for each of four providers, which are not read. */
const providers = ['google', 'facebook', 'twitter', 'github'].flatMap((provider) =>
  ['id', 'email', 'name', 'photo'].map((field) => `${provider} ${field}`),
);
const first = ['localId', 'email', 'emailVerified', 'passwordHash', 'salt', 'displayName', 'photoUrl'];
const last = ['createdAt', 'lastSignedInAt', 'phoneNumber', 'disabled', 'customAttributes'];
const names = [...first, ...providers, ...last];
/** Old versions wrote no columns after the number. A line break in a name, which Firebase does not quote, leaves fewer. */
const least = names.indexOf('phoneNumber') + 1;
/** It doubles the quotation marks in JSON that have no backslash before them. */
const escapedAt = names.indexOf('customAttributes');

export const firebase: Source = {
  split: (start) => (/^[{[]/.test(start) ? splitJson('users') : splitCsv({ names, least, escapedAt })),
  read: (record) => ({
    externalId: textOf(record.localId),
    phone: textOf(record.phoneNumber),
    // Firebase keeps no number that was not proved.
    isPhoneVerified: true,
    email: textOf(record.email),
    isEmailVerified: isTrue(record.emailVerified),
    createdAt: timeOf(record.createdAt),
    lastSeenAt: timeOf(record.lastSignedInAt),
    isBlocked: isTrue(record.disabled),
    claims: objectOf(record.customAttributes),
    'metadata.public': pickTexts(record, ['displayName', 'photoUrl']),
  }),
};
