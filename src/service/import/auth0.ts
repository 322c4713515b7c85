// Reads users from an export job of Auth0: one JSON object per line, or CSV, where each field of the metadata has a column.
import { isTrue, objectOf, pickTexts, textOf, timeOf } from './fields.ts';
import type { Source } from './foreign-user.ts';
import { splitCsv } from './split-csv.ts';
import { splitJson } from './split-json.ts';
import { splitLines } from './split-lines.ts';

const profile = ['name', 'given_name', 'family_name', 'nickname', 'picture', 'locale'];

export const auth0: Source = {
  split: (start) => {
    if (start.startsWith('[')) return splitJson('users');
    return start.startsWith('{') ? splitLines() : splitCsv({ needs: ['phone_number', 'email'], start });
  },
  read: (record) => ({
    externalId: textOf(record.user_id),
    phone: textOf(record.phone_number),
    isPhoneVerified: isTrue(record.phone_verified),
    email: textOf(record.email),
    isEmailVerified: isTrue(record.email_verified),
    createdAt: timeOf(record.created_at),
    lastSeenAt: timeOf(record.last_login),
    isBlocked: isTrue(record.blocked),
    claims: undefined,
    publicMetadata: joined(pickTexts(record, profile), metadataOf(record, 'user_metadata')),
    privateMetadata: metadataOf(record, 'app_metadata'),
  }),
};

/** The whole object, or the columns `user_metadata.country` of a CSV file. */
function metadataOf(record: Readonly<Record<string, unknown>>, name: string): unknown {
  const whole = objectOf(record[name]);
  if (whole !== undefined) return whole;
  const start = `${name}.`;
  const columns = Object.keys(record).filter((column) => column.startsWith(start));
  const picked = pickTexts(record, columns);
  return (
    picked && Object.fromEntries(Object.entries(picked).map(([column, text]) => [column.slice(start.length), text]))
  );
}

/** Metadata that is no object is passed on, so that it is left out with a reason. */
function joined(own: Readonly<Record<string, string>> | undefined, metadata: unknown): unknown {
  if (own === undefined || metadata === undefined) return own ?? metadata;
  return typeof metadata === 'object' && !Array.isArray(metadata) ? { ...own, ...metadata } : metadata;
}
