// POST /api/auth/refresh-token: how a session continues, how a lost answer is handled, and what ends it.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { askStore } from '../../../../helpers/databases/raw-store.ts';
import { enter, me, outcomeOf } from '../../../../helpers/people/users.ts';
import { call, logIn, newPhone, type Pair, refresh, sendOtp } from '../../../../helpers/requests/api.ts';
import { tierStoreKinds } from '../../../../helpers/services/gatehouse.ts';
import { setStage } from '../../../../helpers/services/stage.ts';

const path = '/api/auth/refresh-token';
const day = 86_400;
const testPhones = Array.from({ length: 100 }, (_, index) => `+1555010${String(index).padStart(4, '0')}`);
const nextYear = `${new Date().getFullYear() + 1}-12-31`;

for (const kind of tierStoreKinds) {
  describe(`refreshing the token pair, on ${kind}`, () => {
    const stage = setStage(kind, {
      TRUSTED_PROXIES: '127.0.0.1',
      TEST_RECIPIENTS: testPhones.map((phone) => `${phone}=123456@${nextYear}`).join(','),
    });

    it('a refresh returns a new pair as data and as cookies, for the same user and session', async () => {
      let { RT, JWT } = await enter(stage.url);
      const seen = new Set([RT]);
      const owner = claimsOf(JWT);
      for (let round = 0; round < 5; round++) {
        const reply = await refresh(stage.url, RT);
        assert.equal(outcomeOf(reply), '200');
        assert.equal(reply.headers.get('cache-control'), 'no-store');
        assert.deepEqual(
          reply.cookies.map((cookie) => cookie.split(';')[0]),
          [`JWT=${reply.body.data.JWT}`, `RT=${reply.body.data.RT}`],
        );
        ({ RT, JWT } = reply.body.data);
        seen.add(RT);
        assert.equal(claimsOf(JWT).sub, owner.sub);
        assert.equal(claimsOf(JWT).sid, owner.sid);
      }
      assert.equal(seen.size, 6);
      const rows = await askStore(stage.env, `select counter from sessions where user_id = '${owner.sub}'`);
      assert.deepEqual(
        rows.map(({ counter }) => Number(counter)),
        [5],
      );
      assert.equal(outcomeOf(await me(stage.url, JWT)), '200');
    });

    it('a refresh reads the token from the header, bare or after Bearer, and from the cookie, and the header takes precedence', async () => {
      let { RT } = await enter(stage.url);
      const stranger = await enter(stage.url);
      const carriers: ((token: string) => Record<string, string>)[] = [
        (token) => ({ RT: token }),
        (token) => ({ rt: `Bearer ${token}` }),
        (token) => ({ RT: `bEARER   ${token}` }),
        (token) => ({ cookie: `other=1; RT=${token}` }),
        (token) => ({ RT: token, cookie: `RT=${stranger.RT}` }),
      ];
      for (const carry of carriers) {
        const reply = await call(stage.url, 'POST', path, { headers: carry(RT) });
        assert.equal(outcomeOf(reply), '200', JSON.stringify(carry('…')));
        RT = reply.body.data.RT;
      }
      const junkHeader = await call(stage.url, 'POST', path, { headers: { RT: 'junk', cookie: `RT=${RT}` } });
      assert.equal(outcomeOf(junkHeader), '401 REFRESH_TOKEN_INVALID');
      assert.equal(outcomeOf(await refresh(stage.url, stranger.RT)), '200');
    });

    it('a refresh accepts an empty body with and without a content type', async () => {
      let { RT } = await enter(stage.url);
      for (const type of ['', 'application/json', 'text/plain', 'application/x-www-form-urlencoded']) {
        const headers = { RT, ...(type !== '' && { 'content-type': type }) };
        const reply = await call(stage.url, 'POST', path, { headers });
        assert.equal(outcomeOf(reply), '200', type);
        RT = reply.body.data.RT;
      }
    });

    it('a refresh does not read the token from the query or the body', async () => {
      const { RT } = await enter(stage.url);
      for (const [address, body] of [[`${path}?RT=${RT}`], [path, { RT, refreshToken: RT }]] as const) {
        assert.equal(outcomeOf(await call(stage.url, 'POST', address, { body })), '401 REFRESH_TOKEN_MISSING');
      }
    });

    it('junk and altered refresh tokens are refused without harm to the session', async () => {
      const { RT } = await enter(stage.url);
      for (const token of ['x', `${RT}=`, `${RT.startsWith('A') ? 'B' : 'A'}${RT.slice(1)}`]) {
        const reply = await refresh(stage.url, token);
        assert.equal(outcomeOf(reply), '401 REFRESH_TOKEN_INVALID');
        assert.match(reply.headers.get('www-authenticate') ?? '', /^Bearer /);
      }
      assert.equal(outcomeOf(await refresh(stage.url, RT)), '200');
    });

    it('a refresh repeated within 30 seconds returns the same successor, and the session continues', async () => {
      const { RT } = await enter(stage.url);
      const first: Pair = (await refresh(stage.url, RT)).body.data;
      stage.clock.advance(29);
      const repeated = await Promise.all([refresh(stage.url, RT), refresh(stage.url, RT)]);
      for (const reply of repeated) assert.equal(reply.body.data.RT, first.RT);
      stage.clock.advance(1);
      assert.equal((await refresh(stage.url, RT)).body.data.RT, first.RT);
      assert.equal(outcomeOf(await refresh(stage.url, first.RT)), '200');
    });

    it('a refresh repeated by a clearly different client ends the session', async () => {
      const owner = { 'user-agent': 'Firefox/140', 'x-forwarded-for': '192.0.2.7' };
      const thief = { 'user-agent': 'curl/8', 'x-forwarded-for': '198.51.100.9' };
      const renew = (token: string, headers: Record<string, string>) =>
        call(stage.url, 'POST', path, { headers: { ...headers, RT: token } });
      const { RT } = await enter(stage.url);
      const next: Pair = (await renew(RT, owner)).body.data;
      const moved = { ...owner, 'x-forwarded-for': '203.0.113.1' };
      assert.equal((await renew(RT, moved)).body.data.RT, next.RT);
      assert.equal(outcomeOf(await renew(RT, thief)), '401 REFRESH_TOKEN_REUSED');
      await expectRevoked(next);
      const events = await askStore(stage.env, "select detail from audit_events where kind = 'session.reused'");
      assert.ok(events.some(({ detail }) => String(detail).includes(String(claimsOf(next.JWT).sid))));
    });

    it('the previous refresh token from another device ends the session after 30 seconds, and no other session', async () => {
      const { RT, phone } = await enter(stage.url);
      const other = await enter(stage.url, phone);
      const next: Pair = (await refresh(stage.url, RT)).body.data;
      stage.clock.advance(31);
      const headers = { RT, 'user-agent': 'another program', 'device-token': 'of nobody' };
      assert.equal(outcomeOf(await call(stage.url, 'POST', path, { headers })), '401 REFRESH_TOKEN_REUSED');
      await expectRevoked(next);
      assert.equal(outcomeOf(await refresh(stage.url, other.RT)), '200');
    });

    it('a refresh token older than the previous one ends the session at once, and a restart does not revive it', async () => {
      const { RT } = await enter(stage.url);
      const second: Pair = (await refresh(stage.url, RT)).body.data;
      const third: Pair = (await refresh(stage.url, second.RT)).body.data;
      assert.equal(outcomeOf(await refresh(stage.url, RT)), '401 REFRESH_TOKEN_REUSED');
      await expectRevoked(third);
      const events = await askStore(stage.env, "select detail from audit_events where kind = 'session.reused'");
      assert.ok(events.some(({ detail }) => String(detail).includes(String(claimsOf(third.JWT).sid))));
      await stage.restart();
      await expectRevoked(third);
      assert.equal(outcomeOf(await refresh(stage.url, second.RT)), '401 SESSION_REVOKED');
    });

    it('a session ends after 30 days without a refresh', async () => {
      const { RT } = await enter(stage.url);
      stage.clock.advance(30 * day - 1);
      const next: Pair = (await refresh(stage.url, RT)).body.data;
      stage.clock.advance(30 * day);
      for (let round = 0; round < 2; round++) {
        assert.equal(outcomeOf(await refresh(stage.url, next.RT)), '401 REFRESH_TOKEN_EXPIRED');
      }
    });

    it('a session ends after 180 days however often it is refreshed, and its cookie says so', async () => {
      let { RT } = await enter(stage.url);
      for (let round = 0; round < 8; round++) {
        stage.clock.advance(20 * day);
        RT = (await refresh(stage.url, RT)).body.data.RT;
      }
      stage.clock.advance(20 * day - 100);
      const last = await refresh(stage.url, RT);
      assert.match(last.cookies[1] ?? '', /; Max-Age=100;/);
      stage.clock.advance(100);
      assert.equal(outcomeOf(await refresh(stage.url, last.body.data.RT)), '401 REFRESH_TOKEN_EXPIRED');
    });

    it('the twenty-first session of a user ends the least recently used one', async () => {
      const phone = newPhone();
      const sessions: Pair[] = [];
      for (let count = 0; count < 20; count++) {
        sessions.push(await enter(stage.url, phone));
        stage.clock.advance(1);
      }
      const [first, second] = sessions as [Pair, Pair];
      const used: Pair = (await refresh(stage.url, first.RT)).body.data;
      stage.clock.advance(1);
      await enter(stage.url, phone);
      await expectRevoked(second);
      assert.equal(outcomeOf(await me(stage.url, used.JWT)), '200');
      assert.equal(outcomeOf(await refresh(stage.url, used.RT)), '200');
    });

    it('a night that loses a hundred refresh answers, and a morning in other networks, signs no user out', async () => {
      await Promise.all(testPhones.map((phone) => sendOtp(stage.url, phone)));
      const signedIn = await Promise.all(testPhones.map((phone) => logIn(stage.url, phone, '123456')));
      // A browser shows its device token in a cookie, an app in a header.
      const devices = signedIn.map(({ headers }, index): Record<string, string> => {
        const token = headers.get('device-token') ?? '';
        return index % 2 === 0 ? { cookie: `DV=${token}` } : { 'device-token': token };
      });
      const renewAll = (tokens: string[], network: string) =>
        Promise.all(
          tokens.map((RT, index) => {
            const headers = { RT, 'x-forwarded-for': `${network}.${index}.7`, ...devices[index] };
            return call(stage.url, 'POST', path, { headers });
          }),
        );
      const tokensOf = (replies: Awaited<ReturnType<typeof renewAll>>): string[] =>
        replies.map(({ body }) => body.data?.RT);
      const tokens = signedIn.map(({ body }): string => body.data.RT);
      const lost = tokensOf(await renewAll(tokens, '192.0'));
      assert.equal(new Set(lost).size, 100);
      for (const [seconds, network] of [
        [45, '192.0'],
        [9 * 3600, '198.51'],
        [600, '203.0'],
      ] as const) {
        stage.clock.advance(seconds);
        assert.deepEqual(tokensOf(await renewAll(tokens, network)), lost);
      }
      const next = await renewAll(lost, '203.0');
      assert.equal(next.filter((reply) => reply.status === 200).length, 100);
    });

    async function expectRevoked({ JWT, RT }: Pair): Promise<void> {
      assert.equal(outcomeOf(await refresh(stage.url, RT)), '401 SESSION_REVOKED');
      assert.equal(outcomeOf(await me(stage.url, JWT)), '401 SESSION_REVOKED');
    }
  });
}

function claimsOf(token: string): Record<string, unknown> {
  return JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString());
}
