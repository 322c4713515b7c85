// Generated rows of apps: the codes that they got, and what users allowed them to see.
import fc from 'fast-check';
import type { Row } from '../../../src/store/engine/schema.ts';
import { asSessionId, asUserId } from '../../helpers/people/ids.ts';
import { favour, few, hour, maybe, minute, noon, pick, sessionIds, userIds, type ValueOf } from './pool.ts';
import { rowsFor } from './tables.ts';

export const appIds = ['app 0', 'app 1'];
export const scopeTexts = ['openid', 'openid phone', 'openid phone offline_access'];
export const codeHashes = ['code 0', 'code 1', 'code 2', 'code 3'];

/** A session of an app: of which app, and from which session. Undefined for one of this service. */
export const origin = maybe(fc.record({ app: few(1), parent: few(1), scopes: pick(scopeTexts) }));

export function originColumns(chosen: ValueOf<typeof origin>) {
  if (chosen === undefined) return { app_id: null, app_scopes: null, parent_id: null };
  const { app, parent, scopes } = chosen;
  return { app_id: appIds[app] ?? '', app_scopes: scopes, parent_id: sessionIds[parent] ?? asSessionId('') };
}

const code = fc.record({
  app: favour([0, 1]),
  user: favour([0, 1, 2]),
  parent: favour([0, 1, 2]),
  scopes: pick(scopeTexts),
  life: favour([2 * hour + minute, -minute]),
  usedAgo: fc.option(fc.constantFrom(0, minute), { nil: undefined, freq: 2 }),
  session: maybe(fc.constantFrom(3, 4)),
});

export const appCodes = rowsFor<'app_codes', ValueOf<typeof code>>(codeHashes.slice(0, 3), code, (hash, chosen) => ({
  code_hash: hash,
  app_id: appIds[chosen.app] ?? '',
  user_id: userIds[chosen.user] ?? asUserId(''),
  parent_id: sessionIds[chosen.parent] ?? asSessionId(''),
  redirect_uri: 'https://app.example/back',
  challenge: 'a challenge',
  nonce: null,
  scopes: chosen.scopes,
  created_at: noon - minute,
  expires_at: noon + chosen.life,
  used_at: chosen.usedAgo === undefined ? null : noon - chosen.usedAgo,
  session_id:
    chosen.usedAgo === undefined || chosen.session === undefined
      ? null
      : (sessionIds[chosen.session] ?? asSessionId('')),
  sweep_at: noon + chosen.life + hour,
}));

const consent = fc.record({ scopes: pick(scopeTexts), ago: fc.constantFrom(0, minute, hour) });

export const appConsents: fc.Arbitrary<readonly Row<'app_consents'>[]> = fc
  .tuple(
    ...userIds.flatMap((userId) => appIds.map((appId) => maybe(consent.map((one) => ({ userId, appId, ...one }))))),
  )
  .map((all) =>
    all.flatMap((one) =>
      one === undefined
        ? []
        : [{ user_id: one.userId, app_id: one.appId, scopes: one.scopes, created_at: noon - one.ago }],
    ),
  );
