// The list of apps changes while users are signed in: what an app may no longer have ends with the restart.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { appEntries, appSettings, backend, openBrowser, refreshAs, signInTo } from '../../helpers/people/oauth.ts';
import { call } from '../../helpers/requests/api.ts';
import { tierStoreKinds } from '../../helpers/services/gatehouse.ts';
import { setStage } from '../../helpers/services/stage.ts';

describe('a list of apps that changes', () => {
  const stage = setStage(tierStoreKinds[0] ?? 'sqlite', appSettings);
  const listFiles = async (token: string) => {
    const { status, body } = await call(stage.url, 'GET', '/api/file', { token });
    return `${status} ${body.codeError ?? ''}`.trim();
  };

  it('an app that loses a scope, and one that is removed, cannot use what they got before', async () => {
    const { accessToken, refreshToken } = await signInTo(stage.url, backend, await openBrowser(stage.url));
    assert.equal(await listFiles(accessToken), '200');

    await stage.restart(appSettings(appEntries.map((entry) => ({ ...entry, scopes: ['openid', 'phone'] }))));
    assert.equal(await listFiles(accessToken), '403 APP_SCOPE_MISSING');
    const { body } = await refreshAs(stage.url, backend, refreshToken);
    assert.equal(body.scope, 'openid phone');

    await stage.restart(appSettings(appEntries.filter(({ id }) => id !== backend.id)));
    assert.equal(await listFiles(accessToken), '401 SESSION_REVOKED');
    assert.equal((await refreshAs(stage.url, backend, String(body.refresh_token))).status, 401);
  });
});
