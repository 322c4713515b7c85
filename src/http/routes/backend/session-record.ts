// A session as the back end of an app sees it: schema, example and conversion.

import type { AppList } from '../../../apps/clients/app.ts';
import type { Session } from '../../../auth/sessions/session.ts';
import { proofNames } from '../../../auth/tokens/access-token.ts';
import { list, named, nullable, object, text } from '../../interface/schema.ts';
import { isoTime } from '../fields.ts';
import { sessionApp, toSessionApp } from '../session-app.ts';

export const sessionRecord = named(
  'Session',
  object({
    id: text({ format: 'uuid' }),
    createdAt: isoTime,
    lastUsedAt: isoTime,
    userAgent: nullable(text()),
    authTime: text({ format: 'date-time', description: 'When the user last proved who they are in this session' }),
    amr: list(text(), { description: 'How: otp and sms, link and email, or otp and email' }),
    app: sessionApp,
  }),
);

export const sessionRecordExample = {
  id: '0192a6db-1f2e-7d0a-8c51-7b1d4d0c9a01',
  createdAt: '2026-11-15T09:30:00.000Z',
  lastUsedAt: '2026-11-16T18:05:00.000Z',
  userAgent: 'Mozilla/5.0',
  authTime: '2026-11-15T09:30:00.000Z',
  amr: ['otp', 'sms'],
  app: null,
};

export function toSessionRecord(apps: AppList, session: Session) {
  const { id, createdAt, lastUsedAt, userAgent, proof, provedAt, appId } = session;
  return {
    id,
    createdAt: new Date(createdAt).toISOString(),
    lastUsedAt: new Date(lastUsedAt).toISOString(),
    userAgent: userAgent ?? null,
    authTime: new Date(provedAt).toISOString(),
    amr: [...proofNames[proof]],
    app: toSessionApp(apps, appId),
  };
}
