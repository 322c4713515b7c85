// Schedules a change of a phone number in the database of a service, as a user who signed in by link would.

import { askStore, type RawRow } from '../databases/raw-store.ts';
import type { TestEnv } from '../services/gatehouse.ts';

export function userIdIn(token: string): string {
  return (JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString()) as { sub: string }).sub;
}

export async function schedulePhone(env: TestEnv, userId: string, phone: string, effectiveAt: number): Promise<void> {
  await askStore(
    env,
    `update users set next_phone = '${phone}', next_phone_at = ${effectiveAt}, next_phone_language = 'en'
      where id = '${userId}'`,
  );
}

/** The audit events about the number of a user, as kind and detail. */
export async function phoneEvents(env: TestEnv, userId: string): Promise<RawRow[]> {
  const text = `select kind, detail from audit_events where user_id = '${userId}' and kind like 'phone.%' order by id`;
  return (await askStore(env, text)).map(({ kind, detail }) => ({ kind, ...JSON.parse(String(detail)) }));
}
