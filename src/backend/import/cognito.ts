// Reads users from Cognito: the answer of `aws cognito-idp list-users`, also several pages of it, or CSV with the headers of its user pool.
import { asRecord } from '../../kernel/text/as-record.ts';
import { isFalse, isTrue, pickTexts, textOf, timeOf } from './fields.ts';
import type { Source } from './foreign-user.ts';
import { splitCsv } from './split-csv.ts';
import { splitJson } from './split-json.ts';

/** Standard attributes that a user may see. */
const profile = [
  'name',
  'given_name',
  'family_name',
  'nickname',
  'preferred_username',
  'picture',
  'locale',
  'zoneinfo',
];

export const cognito: Source = {
  split: (start) =>
    /^[{[]/.test(start)
      ? splitJson('Users')
      : splitCsv({ needs: ['phone_number', 'email'], start, hasBackslashes: true }),
  read: (record) => {
    const attributes = attributesOf(record);
    const custom = Object.keys(attributes).filter((name) => name.startsWith('custom:'));
    const name = textOf(record.Username) ?? textOf(record['cognito:username']);
    return {
      externalId: textOf(attributes.sub) ?? name,
      phone: textOf(attributes.phone_number),
      isPhoneVerified: isTrue(attributes.phone_number_verified),
      email: textOf(attributes.email),
      isEmailVerified: isTrue(attributes.email_verified),
      createdAt: timeOf(record.UserCreateDate),
      lastSeenAt: undefined,
      isBlocked: isFalse(record.Enabled),
      'metadata.public': pickTexts(attributes, profile),
      'metadata.private': pickTexts(attributes, custom),
    };
  },
};

/** JSON has a list of names and values, CSV a column for each. */
function attributesOf(record: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  const list = record.Attributes;
  if (!Array.isArray(list)) return record;
  return Object.fromEntries(
    list.map((item: unknown) => {
      const { Name, Value } = asRecord(item);
      return [String(Name), Value];
    }),
  );
}
