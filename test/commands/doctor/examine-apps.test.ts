// What the doctor says about the apps: how many there are, and what an operator should look at.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { App } from '../../../src/apps/clients/app.ts';
import { judgeApps } from '../../../src/commands/doctor/examine-apps.ts';

const app: App = {
  id: 'shop',
  name: 'Shop',
  redirectUris: ['http://127.0.0.1/back'],
  logoutUris: [],
  secretHash: undefined,
  scopes: ['openid'],
  isFirstParty: true,
  logo: undefined,
};
const judge = (apps: readonly App[], mode = 0o644) =>
  judgeApps(apps, mode).map(({ state, detail }) => `${state}: ${detail}`);

describe('the apps, says the doctor,', () => {
  it('are none', () => assert.deepEqual(judge([], 0), ['good: none; no other app signs users in here']));

  it('are counted by their kinds', () => {
    const apps = [
      app,
      { ...app, id: 'b', name: 'B', secretHash: 'x' },
      { ...app, id: 'c', name: 'C', isFirstParty: false },
    ];
    assert.deepEqual(judge(apps), ['good: 3 apps: 1 with a secret, 2 public; 1 of others']);
    assert.deepEqual(judge([app]), ['good: 1 app: 0 with a secret, 1 public; 0 of others']);
  });

  it('raise a doubt if two have the same name, or if everybody may change their file', () => {
    const found = judge([app, { ...app, id: 'other' }], 0o646);
    assert.deepEqual(found.slice(1), [
      'doubtful: everybody on this machine may change the file of APPS_FILE, and so add apps',
      'doubtful: shop and other have the same name “Shop”: users cannot tell them apart',
    ]);
  });
});
