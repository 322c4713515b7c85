// Allowing an app: the ticket says which app and what, and an old ticket or one of a removed app allows nothing.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { AppStore, NewConsent } from '../../../src/apps/app-store.ts';
import { type App, createAppList } from '../../../src/apps/clients/app.ts';
import { allowApp } from '../../../src/apps/consents/allow-app.ts';
import { ticketLifeSeconds, writeAuthorizationTicket } from '../../../src/apps/requests/authorization-ticket.ts';
import { failureOf, secrets } from '../../helpers/people/auth-fakes.ts';
import { asUserId } from '../../helpers/people/ids.ts';
import { noon } from '../../helpers/store/fixtures.ts';

const app: App = {
  id: 'notes',
  name: 'Notes',
  redirectUris: ['https://notes.example/callback'],
  logoutUris: [],
  secretHash: undefined,
  scopes: ['openid', 'email'],
  isFirstParty: false,
  logo: undefined,
};
const request = {
  appId: 'notes',
  redirectUri: 'https://notes.example/callback',
  scopes: ['openid', 'email'],
  state: undefined,
  nonce: undefined,
  challenge: 'c'.repeat(43),
  prompt: undefined,
  maxAgeSeconds: undefined,
  uiLocales: undefined,
  loginHint: undefined,
} as const;
const ticketOf = (startedAt: number) => writeAuthorizationTicket(secrets, { request, startedAt });

function stageOf(apps: readonly App[] = [app]) {
  const saved: NewConsent[] = [];
  const appStore: Pick<AppStore, 'saveConsent'> = { saveConsent: async (consent) => void saved.push(consent) };
  return { saved, deps: { secrets, clock: { now: () => noon }, apps: createAppList(apps), appStore } };
}

describe('allowing an app', () => {
  it('allowing an app saves the scopes of its ticket for the user', async () => {
    const { deps, saved } = stageOf();
    await allowApp(deps, { userId: asUserId('ann'), ticket: ticketOf(noon - 1000) });
    assert.deepEqual(saved, [{ userId: 'ann', appId: 'notes', scopes: ['openid', 'email'], now: noon }]);
  });

  for (const [what, ticket, apps] of [
    ['a made-up ticket', 'made-up', [app]],
    ['a ticket that has expired', ticketOf(noon - ticketLifeSeconds * 1000), [app]],
    ['a ticket of an app that was removed', ticketOf(noon), []],
  ] as const) {
    it(`allowing an app with ${what} fails and saves nothing`, async () => {
      const { deps, saved } = stageOf(apps);
      assert.deepEqual(await failureOf(allowApp(deps, { userId: asUserId('ann'), ticket })), [
        'AUTHORIZATION_EXPIRED',
        {},
      ]);
      assert.deepEqual(saved, []);
    });
  }
});
