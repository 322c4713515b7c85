// Apache with mod_auth_openidc, a client in C, protects pages by a sign-in here.
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { freePort } from '../../../helpers/databases/postgres-server.ts';
import { hasModAuthOpenidc, startApache } from './apache.ts';
import { hashOf, setAppStage } from './app-stage.ts';
import { createPerson, type Person } from './person.ts';

const clientSecret = 'a-long-secret-of-the-intranet';
/** On a machine of a developer it may be missing. Where the whole run is judged, it may not. */
const skip = !hasModAuthOpenidc && 'libapache2-mod-auth-openidc is not installed';

describe('Apache with mod_auth_openidc', { skip }, () => {
  let port = 0;
  let origin = '';
  let apache: { stop(): Promise<void> } | undefined;
  before(async () => {
    port = await freePort();
    origin = `http://localhost:${port}`;
  });
  const stage = setAppStage(() => [
    {
      id: 'intranet',
      name: 'Intranet',
      secretHash: hashOf(clientSecret),
      redirectUris: [`${origin}/private/callback`],
      firstParty: true,
      logoutUris: [`${origin}/goodbye.html`],
    },
  ]);
  before(async () => {
    apache = await startApache({ port, issuer: stage.issuer, clientId: 'intranet', clientSecret });
  });
  after(() => apache?.stop());

  type Info = { access_token: string; refresh_token: string; userinfo: { sub: string; phone_number: string } };

  const signIn = async () => {
    const person = createPerson(stage.issuer);
    await person.signIn();
    const { url, status, text } = await person.open(`${origin}/private/page.html`);
    assert.deepEqual([url.href, status, text], [`${origin}/private/page.html`, 200, 'the private page']);
    return person;
  };
  /** What Apache keeps of the session. */
  const infoOf = async (person: Person) =>
    JSON.parse((await person.open(`${origin}/private/callback?info=json`)).text) as Info;

  it('a page shows to a user who is signed in here, and Apache knows the user', async () => {
    const stranger = createPerson(stage.issuer);
    const { url } = await stranger.open(`${origin}/private/page.html`);
    assert.equal(url.href.split('?')[0], `${stage.issuer}/oauth/authorize`);
    const person = await signIn();
    const { userinfo, access_token } = await infoOf(person);
    assert.equal(userinfo.phone_number, person.phone);
    const headers = { authorization: `Bearer ${access_token}` };
    const asked = await fetch(`${stage.issuer}/oauth/userinfo`, { headers });
    assert.deepEqual(await asked.json(), userinfo);
  });

  it('Apache refreshes when it is asked and by itself, and sees that the user has ended its session', async () => {
    const person = await signIn();
    const first = await infoOf(person);
    const back = encodeURIComponent(`${origin}/private/page.html`);
    const { url } = await person.open(`${origin}/private/callback?refresh=${back}&access_token=${first.access_token}`);
    assert.equal(url.href, `${origin}/private/page.html`);
    const second = await infoOf(person);
    assert.notEqual(second.access_token, first.access_token);
    assert.notEqual(second.refresh_token, first.refresh_token);
    assert.equal((await person.open(`${origin}/fresh/page.html`)).text, 'the fresh page');
    assert.notEqual((await infoOf(person)).refresh_token, second.refresh_token);

    await person.endAppSessions();
    const { access_token } = await infoOf(person);
    const refused = await person.open(`${origin}/private/callback?refresh=${back}&access_token=${access_token}`);
    assert.equal(refused.url.searchParams.get('error_code'), 'refresh_failed');
  });

  it('a sign-out at Apache signs the user out here, and the page asks for a sign-in again', async () => {
    const person = await signIn();
    const { refresh_token } = await infoOf(person);
    const { url, text } = await person.open(
      `${origin}/private/callback?logout=${encodeURIComponent(`${origin}/goodbye.html`)}`,
    );
    assert.deepEqual([url.href, text], [`${origin}/goodbye.html`, 'goodbye']);
    assert.equal(await person.isSignedIn(), false);
    const form = { grant_type: 'refresh_token', refresh_token, client_id: 'intranet', client_secret: clientSecret };
    const answer = await fetch(`${stage.issuer}/oauth/token`, { method: 'POST', body: new URLSearchParams(form) });
    assert.equal(answer.status, 400);
    assert.equal((await person.open(`${origin}/private/page.html`)).url.pathname, '/oauth/authorize');
  });
});
