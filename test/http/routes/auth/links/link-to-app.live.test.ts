// A sign-in link that goes on to an app: the ticket of the app's sign-in is checked, kept with the link, and answered as a path.
import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import { ticketLifeSeconds, writeAuthorizationTicket } from '../../../../../src/apps/requests/authorization-ticket.ts';
import { createSecrets } from '../../../../../src/kernel/crypto/secrets.ts';
import { appSettings } from '../../../../helpers/people/oauth.ts';
import {
  bindAddress,
  enter,
  linkTokenIn,
  messageAfter,
  newAddress,
  outcomeOf,
  redeem,
  sendLink,
} from '../../../../helpers/people/users.ts';
import { call } from '../../../../helpers/requests/api.ts';
import { tierStoreKinds } from '../../../../helpers/services/gatehouse.ts';
import { setStage } from '../../../../helpers/services/stage.ts';

const secret = 'the-secret-of-a-test-of-links-'.repeat(2);
const request = {
  appId: 'notes',
  redirectUri: 'https://notes.example/callback',
  scopes: ['openid'],
  state: undefined,
  nonce: undefined,
  challenge: 'c'.repeat(43),
  prompt: undefined,
  maxAgeSeconds: undefined,
  uiLocales: undefined,
  loginHint: undefined,
} as const;

for (const kind of tierStoreKinds) {
  describe(`a sign-in link to an app, on ${kind}`, () => {
    const entries = [{ id: 'notes', name: 'Notes & more', redirectUris: [request.redirectUri], firstParty: true }];
    const stage = setStage(kind, () => ({ ...appSettings(entries), SECRET: secret }));
    const address = newAddress();
    const ticketOf = (ageSeconds: number) =>
      writeAuthorizationTicket(createSecrets(secret), {
        request,
        startedAt: stage.clock.now() - ageSeconds * 1000,
      });
    const send = (ticket: string) =>
      call(stage.url, 'POST', '/api/auth/email/send/login-link', {
        body: { recipient: address, ticket },
        captcha: 'any',
      });
    const check = (token: string) => call(stage.url, 'POST', '/api/auth/email/link/check', { body: { token } });

    before(async () => {
      const { JWT } = await enter(stage.url);
      await bindAddress(stage.url, JWT, address);
    });

    it('a sign-in link with a ticket answers the path of the app’s sign-in before and with the sign-in', async () => {
      const ticket = ticketOf(0);
      const token = linkTokenIn(await messageAfter(stage.url, address, () => send(ticket)));
      const path = `/oauth/authorize?ticket=${encodeURIComponent(ticket)}`;
      const { continueTo, app } = (await check(token)).body.data;
      assert.deepEqual([continueTo, app], [path, 'Notes & more']);
      assert.equal((await redeem(stage.url, token)).body.data.continueTo, path);
    });

    it('a sign-in link without a ticket goes on to no app', async () => {
      stage.clock.advance(1);
      const token = linkTokenIn(await messageAfter(stage.url, address, () => sendLink(stage.url, address)));
      assert.equal((await check(token)).body.data.continueTo, null);
      assert.equal((await redeem(stage.url, token)).body.data.continueTo, null);
    });

    it('an expired link to an app says where the sign-in of the app goes on, and any other expired link does not', async () => {
      stage.clock.advance(60);
      const ticket = ticketOf(0);
      const token = linkTokenIn(await messageAfter(stage.url, address, () => send(ticket)));
      stage.clock.advance(60);
      const other = linkTokenIn(await messageAfter(stage.url, address, () => sendLink(stage.url, address)));
      stage.clock.advance(16 * 60);
      const expired = await check(token);
      assert.equal(outcomeOf(expired), '410 LINK_EXPIRED');
      assert.equal(expired.headers.get('continue-to'), `/oauth/authorize?${new URLSearchParams({ ticket })}`);
      assert.equal((await check(other)).headers.get('continue-to'), null);
    });

    it('a request for a link is refused with a made-up ticket, and with one that has expired', async () => {
      for (const ticket of ['made-up', ticketOf(ticketLifeSeconds)])
        assert.equal(outcomeOf(await send(ticket)), '410 AUTHORIZATION_EXPIRED');
    });
  });
}
