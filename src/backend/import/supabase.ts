// Reads users from Supabase: the table auth.users as CSV or JSON, or the answer of its admin API. Its numbers have no plus sign.
import { objectOf, textOf, timeOf, without } from './fields.ts';
import type { Source } from './foreign-user.ts';
import { splitCsv } from './split-csv.ts';
import { splitJson } from './split-json.ts';

/** Supabase writes these by itself. */
const ownAppFields = ['provider', 'providers'];
const ownUserFields = ['sub', 'email', 'email_verified', 'phone', 'phone_verified'];

export const supabase: Source = {
  split: (start) => (/^[{[]/.test(start) ? splitJson('users') : splitCsv({ needs: ['phone', 'email'], start })),
  read: (record) => ({
    externalId: textOf(record.id),
    phone: withPlus(textOf(record.phone)),
    isPhoneVerified: timeOf(record.phone_confirmed_at) !== undefined,
    email: textOf(record.email),
    isEmailVerified: timeOf(record.email_confirmed_at) !== undefined,
    createdAt: timeOf(record.created_at),
    lastSeenAt: timeOf(record.last_sign_in_at),
    isBlocked: hasNoEnd(record.banned_until),
    blockedUntil: timeOf(record.banned_until),
    isDeleted: timeOf(record.deleted_at) !== undefined,
    claims: without(objectOf(record.raw_app_meta_data ?? record.app_metadata), ownAppFields),
    'metadata.public': without(objectOf(record.raw_user_meta_data ?? record.user_metadata), ownUserFields),
  }),
};

/** PostgreSQL knows “infinity” and years of five digits. Whoever is banned until then must not come in because of it. */
function hasNoEnd(ban: unknown): boolean {
  const text = textOf(ban);
  return text !== undefined && timeOf(text) === undefined && !/^(null|-infinity)$/i.test(text);
}

function withPlus(phone: string | undefined): string | undefined {
  return phone !== undefined && /^\d/.test(phone) ? `+${phone}` : phone;
}
