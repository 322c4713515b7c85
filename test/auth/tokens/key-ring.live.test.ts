// Key rotation goes unnoticed: signing keys are published before use and kept until their last token has ended, and the service secret can be changed.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { createLocalJWKSet, type JSONWebKeySet, jwtVerify } from 'jose';
import {
  askForCode,
  askForLink,
  bindAddress,
  enter,
  guess,
  me,
  newAddress,
  outcomeOf,
  redeem,
} from '../../helpers/people/users.ts';
import { logIn, newPhone, type Pair, refresh } from '../../helpers/requests/api.ts';
import { tierStoreKinds } from '../../helpers/services/gatehouse.ts';
import { setStage, setTwoNodes, startTwoNodes } from '../../helpers/services/stage.ts';

const hour = 3600;
const day = 24 * hour;
const secret = (letter: string) => letter.repeat(40);

async function jwksOf(url: string): Promise<JSONWebKeySet> {
  return (await fetch(`${url}/.well-known/jwks.json`)).json() as Promise<JSONWebKeySet>;
}

async function keyIds(url: string): Promise<string[]> {
  return (await jwksOf(url)).keys.map(({ kid = '' }) => kid);
}

function keyIdOf({ JWT }: Pair): string {
  return JSON.parse(Buffer.from(JWT.split('.')[0] ?? '', 'base64url').toString()).kid;
}

/** A token with an unknown key id makes the node read the keys from the store at once. */
async function lookAgain(url: string, pair: Pair): Promise<void> {
  const [, payload, signature] = pair.JWT.split('.');
  const header = Buffer.from(JSON.stringify({ alg: 'ES256', typ: 'at+jwt', kid: 'x'.repeat(22) })).toString(
    'base64url',
  );
  assert.equal(outcomeOf(await me(url, `${header}.${payload}.${signature}`)), '401 ACCESS_TOKEN_INVALID');
}

for (const kind of tierStoreKinds) {
  describe(`rotation of signing keys, on ${kind}`, () => {
    const stage = setStage(kind);

    it('the next signing key is published a day before use, and the old one is kept until its last token has ended', async () => {
      let pair = await enter(stage.url);
      const first = keyIdOf(pair);
      assert.deepEqual(await keyIds(stage.url), [first]);
      stage.clock.advance(29 * day - 60);
      await lookAgain(stage.url, pair);
      assert.deepEqual(await keyIds(stage.url), [first]);
      stage.clock.advance(60);
      await lookAgain(stage.url, pair);
      const published = await jwksOf(stage.url);
      const second = published.keys.find(({ kid }) => kid !== first)?.kid;
      assert.equal(published.keys.length, 2);
      assert.equal(keyIdOf(await enter(stage.url)), first);
      stage.clock.advance(day - 10);
      pair = await enter(stage.url);
      assert.equal(keyIdOf(pair), first);
      stage.clock.advance(10);
      const next = await enter(stage.url);
      assert.equal(keyIdOf(next), second);
      // A client that fetched the keys a day ago can verify both.
      for (const { JWT } of [pair, next]) {
        await jwtVerify(JWT, createLocalJWKSet(published), { currentDate: new Date(stage.clock.now()) });
      }
      stage.clock.advance(15 * 60 - 10);
      await lookAgain(stage.url, next);
      assert.equal(outcomeOf(await me(stage.url, pair.JWT)), '200');
      stage.clock.advance(hour + 600);
      await lookAgain(stage.url, next);
      assert.deepEqual(await keyIds(stage.url), [second]);
    });
  });

  describe(`signing keys of two nodes, on ${kind}`, () => {
    const spawned = setTwoNodes(kind);

    it('two nodes that start on an empty database at once share one signing key', async () => {
      const [here, there] = await Promise.all(spawned.urls.map(keyIds));
      assert.equal(here?.length, 1);
      assert.deepEqual(there, here);
    });

    it('two nodes share one signing key if the clock of the second is ten seconds behind, and its tokens are valid on both', async (context) => {
      const [here, there] = (await startTwoNodes(context, kind, 10)).urls;
      const ids = await keyIds(here);
      assert.equal(ids.length, 1);
      assert.deepEqual(await keyIds(there), ids);
      const [early, late] = [await enter(here), await enter(there)];
      assert.equal(outcomeOf(await me(there, early.JWT)), '200');
      assert.equal(outcomeOf(await me(here, late.JWT)), '200');
    });

    it('two nodes share the next signing key, even if both create it at once', async (context) => {
      const { urls, clock } = await startTwoNodes(context, kind);
      const [here, there] = urls;
      clock.advance(29 * day + hour);
      const pair = await enter(here);
      await Promise.all(urls.map((url) => lookAgain(url, pair)));
      const ids = await keyIds(here);
      assert.equal(ids.length, 2);
      assert.deepEqual(await keyIds(there), ids);
      clock.advance(day);
      const next = await enter(there);
      assert.notEqual(keyIdOf(next), keyIdOf(pair));
      assert.equal(outcomeOf(await me(here, next.JWT)), '200');
    });

    it('a node loads a signing key that it has not seen yet', async (context) => {
      const { urls, clock } = await startTwoNodes(context, kind);
      const [here, there] = urls;
      const old = await enter(here);
      clock.advance(29 * day + hour);
      await lookAgain(there, old);
      clock.advance(day);
      const pair = await enter(there);
      assert.notEqual(keyIdOf(pair), keyIdOf(old));
      assert.equal(outcomeOf(await me(here, pair.JWT)), '200');
      assert.equal((await keyIds(here)).length, 2);
    });
  });

  describe(`changing the service secret, on ${kind}`, () => {
    const stage = setStage(kind, { SECRET: secret('a') });

    it('tokens, codes, links and signing keys keep working after a change of the secret while SECRET_PREVIOUS is set', async () => {
      const address = newAddress();
      const pair = await enter(stage.url);
      await bindAddress(stage.url, pair.JWT, address);
      const lost: Pair = (await refresh(stage.url, pair.RT)).body.data;
      const link = await askForLink(stage.url, address);
      const phone = newPhone();
      const code = await askForCode(stage.url, phone);
      await guess(stage.url, phone, code);

      await stage.restart({ SECRET: secret('b'), SECRET_PREVIOUS: secret('a') });
      assert.equal(outcomeOf(await me(stage.url, pair.JWT)), '200');
      const repeated: Pair = (await refresh(stage.url, pair.RT)).body.data;
      assert.equal(outcomeOf(await refresh(stage.url, lost.RT)), '200');
      const next = await refresh(stage.url, repeated.RT);
      assert.equal(outcomeOf(next), '200');
      assert.equal(keyIdOf(next.body.data), keyIdOf(pair));
      assert.equal(await askForCode(stage.url, phone), code);
      assert.equal(outcomeOf(await logIn(stage.url, phone, code)), '200');
      assert.equal(outcomeOf(await redeem(stage.url, link)), '200');

      await stage.restart({ SECRET: secret('c'), SECRET_PREVIOUS: secret('b') });
      const last: Pair = next.body.data;
      assert.equal(outcomeOf(await me(stage.url, last.JWT)), '200');
      assert.equal(outcomeOf(await refresh(stage.url, last.RT)), '200');
      assert.equal(outcomeOf(await refresh(stage.url, pair.RT)), '401 REFRESH_TOKEN_INVALID');
      assert.notEqual(keyIdOf(await enter(stage.url)), keyIdOf(pair));
    });

    it('refresh tokens, codes and signing keys made under a removed secret no longer work', async () => {
      await stage.restart({ SECRET: secret('d') });
      const pair = await enter(stage.url);
      const phone = newPhone();
      const code = await askForCode(stage.url, phone);
      await stage.restart({ SECRET: secret('e') });
      assert.equal(outcomeOf(await refresh(stage.url, pair.RT)), '401 REFRESH_TOKEN_INVALID');
      assert.equal(outcomeOf(await logIn(stage.url, phone, code)), '400 OTP_INVALID');
      assert.equal(outcomeOf(await me(stage.url, pair.JWT)), '200');
      assert.notEqual(keyIdOf(await enter(stage.url)), keyIdOf(pair));
      assert.equal(outcomeOf(await logIn(stage.url, phone, await askForCode(stage.url, phone))), '200');
    });
  });
}
