// Every kind of credential that a caller may have, as the headers of a request.

import { revokeServiceKey } from '../../../src/backend/revoke-service-key.ts';
import { type BackendScope, backendScopes } from '../../../src/backend/service-key.ts';
import type { Clock } from '../../../src/kernel/clock.ts';
import { createOperatorPorts } from '../../../src/store/ports.ts';
import { backend, openBrowser, signInTo } from '../../helpers/people/oauth.ts';
import { createServiceKey, createWholeKey } from '../../helpers/people/service-keys.ts';
import { enterStaff, issueTo } from '../../helpers/people/staff.ts';
import { enter } from '../../helpers/people/users.ts';
import type { Stage } from '../../helpers/services/stage.ts';

export type Credential = {
  readonly name: string;
  readonly headers: Readonly<Record<string, string>>;
  /** What it opens. */
  readonly opens: 'users' | 'browser' | 'files' | 'staff' | readonly BackendScope[];
  /** From a page that is not ours. */
  readonly isForeign?: true;
};

const bearer = (token: string) => ({ authorization: `Bearer ${token}` });

/** The service must know the apps of oauth.ts. Moves the clock of the stage by more than a minute, so that one key has ended. */
export async function createCredentials(stage: Stage & { clock: Clock }): Promise<Credential[]> {
  const [all, ended, revoked] = [
    await createServiceKey(stage),
    await createWholeKey(stage, backendScopes, 60_000),
    await createWholeKey(stage),
  ];
  const single = await Promise.all(backendScopes.map((scope) => createServiceKey(stage, [scope])));
  const { serviceKeys } = createOperatorPorts(stage.service.store);
  const by = { actor: 'cli', why: 'a test' } as const;
  await revokeServiceKey({ serviceKeys, clock: stage.clock }, { id: revoked.id, by });
  stage.clock.advance(61);
  const { JWT, RT } = await enter(stage.url);
  const browser = await openBrowser(stage.url);
  const withFiles = await signInTo(stage.url, backend, browser);
  const withoutFiles = await signInTo(stage.url, backend, browser, { scope: 'openid phone email offline_access' });
  const { cookie } = await enterStaff(stage.url, (await issueTo(stage.service, stage.clock, 'Ann')).token);
  const nothing: readonly BackendScope[] = [];
  return [
    { name: 'nothing', headers: {}, opens: nothing },
    { name: 'an access token as bearer', headers: bearer(JWT), opens: 'users' },
    { name: 'an access token in a cookie', headers: { cookie: `JWT=${JWT}` }, opens: 'users' },
    { name: 'all cookies of a browser', headers: { cookie: browser.cookie }, opens: 'browser' },
    {
      name: 'the SSO cookie alone',
      headers: { cookie: browser.cookie.replace(/JWT=[^;]*;? ?/, '') },
      opens: nothing,
    },
    {
      name: 'an access token beside the SSO cookie of another user',
      headers: { cookie: browser.cookie.replace(/JWT=[^;]*/, `JWT=${JWT}`) },
      opens: 'users',
    },
    {
      name: 'all cookies of a browser and its access token as bearer',
      headers: { ...bearer(browser.JWT), cookie: browser.cookie },
      opens: 'users',
    },
    { name: 'a refresh token in its header', headers: { rt: RT }, opens: nothing },
    { name: 'a refresh token as bearer', headers: bearer(RT), opens: nothing },
    { name: 'a refresh token in a cookie', headers: { cookie: `RT=${RT}` }, opens: nothing },
    { name: 'an access token of an app with files', headers: bearer(withFiles.accessToken), opens: 'files' },
    { name: 'an access token of an app', headers: bearer(withoutFiles.accessToken), opens: nothing },
    {
      name: 'an access token of an app in a cookie',
      headers: { cookie: `JWT=${withoutFiles.accessToken}` },
      opens: nothing,
    },
    { name: 'an id token of an app', headers: bearer(withFiles.idToken), opens: nothing },
    { name: 'a refresh token of an app in its header', headers: { rt: withFiles.refreshToken }, opens: nothing },
    { name: 'a staff cookie', headers: { cookie }, opens: 'staff' },
    { name: 'the staff session as bearer', headers: bearer(cookie.replace('ADMIN=', '')), opens: nothing },
    ...backendScopes.map((scope, at) => ({
      name: `a service key with ${scope}`,
      headers: bearer(single[at] ?? ''),
      opens: [scope],
    })),
    { name: 'a service key with all scopes', headers: bearer(all), opens: backendScopes },
    { name: 'a service key that has ended', headers: bearer(ended.text), opens: nothing },
    { name: 'a service key that was revoked', headers: bearer(revoked.text), opens: nothing },
    { name: 'a service key from our own page', headers: { ...bearer(all), origin: stage.url }, opens: nothing },
    {
      name: 'a service key from a page',
      headers: { ...bearer(all), origin: 'https://app.example' },
      opens: nothing,
      isForeign: true,
    },
    {
      name: 'a service key that a browser fetches',
      headers: { ...bearer(all), 'sec-fetch-site': 'none' },
      opens: nothing,
    },
    { name: 'a service key in a cookie', headers: { cookie: `JWT=${all}; ADMIN=${all}; RT=${all}` }, opens: nothing },
    {
      name: 'a service key in other headers',
      headers: { rt: all, 'x-api-key': all, authorization: all },
      opens: nothing,
    },
    { name: 'a service key with the Basic scheme', headers: { authorization: `Basic ${all}` }, opens: nothing },
  ];
}
