// The admin interface on both databases: who is admitted, what is masked, and that every action is audited.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { newId } from '../../../../src/kernel/crypto/random.ts';
import type { UserId } from '../../../../src/kernel/ids.ts';
import { createOperatorPorts } from '../../../../src/store/ports.ts';
import { allSent, askStore } from '../../../helpers/databases/raw-store.ts';
import { askAdmin, enterStaff, issueTo } from '../../../helpers/people/staff.ts';
import { askForCode, bindAddress, enter, me, newAddress, outcomeOf } from '../../../helpers/people/users.ts';
import { call, newPhone, sendOtp } from '../../../helpers/requests/api.ts';
import { storeFile } from '../../../helpers/requests/upload.ts';
import { storeKinds } from '../../../helpers/services/gatehouse.ts';
import { fetchTableOperations } from '../../../helpers/services/openapi-document.ts';
import { setStage } from '../../../helpers/services/stage.ts';

const user = `/users/${newId()}`;
const keyId = 'key-xxxxxxxx';
const lines = [
  'GET /session',
  'DELETE /session',
  'POST /users/search',
  `GET ${user}`,
  `GET ${user}/timeline`,
  `GET ${user}/files`,
  `GET ${user}/messages`,
  ...['reveal', 'export', 'block', 'unblock', 'sign-out', 'delete', 'limits/clear'].map((act) => `POST ${user}/${act}`),
  `POST ${user}/phone-change`,
  `DELETE ${user}/phone-change`,
  `POST ${user}/email/remove`,
  `POST ${user}/sessions/${newId()}/end`,
  `POST ${user}/files/fil_${'x'.repeat(22)}/delete`,
  `POST ${user}/messages/${newId()}/resend`,
  'POST /recipients/search',
  'POST /recipients/clear',
  'GET /overview',
  'GET /spend',
  'POST /spend/lift',
  'GET /audit',
  'GET /apps',
  'GET /service-keys',
  'POST /service-keys',
  `POST /service-keys/${keyId}/rotate`,
  `POST /service-keys/${keyId}/revoke`,
];
/** A body that every route with a body accepts. */
const body = {
  who: '',
  whom: '+447400123456',
  phone: '+447400123456',
  reason: 'a test',
  confirm: 'abcd',
  name: 'shop',
  scopes: ['users:read'],
  days: 30,
};
const bodyOf = (line: string) => (line.startsWith('POST') || line.endsWith('/phone-change') ? { body } : {});

for (const kind of storeKinds) {
  describe(`the admin interface on ${kind}`, () => {
    const stage = setStage(kind, {
      LIMIT_SENDS_PER_RECIPIENT: '2/1h',

      CORS_ORIGINS: 'https://app.example',
    });
    const staff = async (name = 'Ada') =>
      enterStaff(stage.url, (await issueTo(stage.service, stage.clock, name)).token);

    it('the admin interface answers 404 before any staff sign-in link is issued', async () => {
      const unknown = await askAdmin(stage.url, 'GET /nothing');
      for (const line of [...lines, 'POST /session']) {
        const reply = await askAdmin(
          stage.url,
          line,
          line === 'POST /session' ? { body: { token: 'x' } } : bodyOf(line),
        );
        assert.deepEqual([reply.outcome, reply.text], ['404 NOT_FOUND', unknown.text], line);
      }
      const page = await fetch(`${stage.url}/admin`);
      assert.deepEqual([page.status, await page.text()], [404, unknown.text]);
    });

    it('this test covers every admin route of the OpenAPI document', async () => {
      const paths = await fetchTableOperations<{ tags: string[]; security: unknown[] }>(stage.url);
      const documented = Object.entries(paths)
        .filter(([path]) => path.startsWith('/api/admin'))
        .flatMap(([path, methods]) =>
          Object.entries(methods).map(([method, { tags, security }]) => {
            assert.deepEqual(tags, ['admin']);
            const isSignIn = path === '/api/admin/session' && method === 'post';
            assert.deepEqual(security, isSignIn ? [] : [{ adminSession: [] }]);
            return `${method.toUpperCase()} ${path.slice('/api/admin'.length)}`;
          }),
        );
      const shape = (line: string) => line.replaceAll(/\{\w+\}|[0-9a-f-]{36}|fil_x+|key-x+/g, '*');
      assert.deepEqual(documented.map(shape).toSorted(), [...lines, 'POST /session'].map(shape).toSorted());
    });

    it('the admin interface answers alike without a cookie, with a user’s token, and with an unknown, unused, ended or revoked sign-in', async () => {
      const user = await enter(stage.url);
      const { token } = await issueTo(stage.service, stage.clock, 'Late');
      const left = await staff('Left');
      await left.ask('DELETE /session');
      const revoked = await issueTo(stage.service, stage.clock, 'Revoked');
      const { cookie: revokedCookie } = await enterStaff(stage.url, revoked.token);
      const by = { actor: 'cli', why: 'a test' } as const;
      const { admins } = createOperatorPorts(stage.service.store);
      await admins.end({ id: revoked.id, reason: 'revoked', by, now: stage.clock.now() });
      const credentials = [
        {},
        { headers: { authorization: `Bearer ${user.JWT}` } },
        { cookie: `JWT=${user.JWT}; RT=${user.RT}` },
        { cookie: `ADMIN=${user.JWT}` },
        { cookie: `ADMIN=${'x'.repeat(43)}` },
        { cookie: `ADMIN=${token}` },
        { cookie: left.cookie },
        { cookie: revokedCookie },
      ];
      const { text } = await askAdmin(stage.url, 'GET /session');
      for (const line of lines) {
        for (const credential of credentials) {
          const reply = await askAdmin(stage.url, line, { ...credential, ...bodyOf(line) });
          assert.deepEqual([reply.outcome, reply.text], ['403 ADMIN_REQUIRED', text], line);
          assert.equal(reply.headers.get('cache-control'), 'no-store');
        }
      }
    });

    it('a staff link works once within an hour, and a staff session ends after half an hour without use', async () => {
      const enterWith = async (token: string) =>
        (await askAdmin(stage.url, 'POST /session', { body: { token } })).outcome;
      const once = await issueTo(stage.service, stage.clock, 'Once');
      const { reply, ask, cookie } = await enterStaff(stage.url, once.token);
      assert.deepEqual([reply.data.name, reply.data.endsAt], ['Once', new Date(once.endsAt).toISOString()]);
      assert.match(
        reply.headers.getSetCookie()[0] ?? '',
        /^ADMIN=[\w-]{43}; Max-Age=28800; Path=\/api\/admin; HttpOnly; SameSite=Strict$/,
      );
      for (const token of [once.token, 'x', 'x'.repeat(43)]) assert.equal(await enterWith(token), '403 ADMIN_REQUIRED');
      const late = await issueTo(stage.service, stage.clock, 'Late');
      for (const minutes of [29, 29]) {
        stage.clock.advance(minutes * 60);
        assert.equal((await ask('GET /session')).outcome, '200');
      }
      stage.clock.advance(120);
      assert.equal(await enterWith(late.token), '403 ADMIN_REQUIRED');
      stage.clock.advance(30 * 60);
      assert.equal((await ask('GET /session')).outcome, '403 ADMIN_REQUIRED');
      const user = await call(stage.url, 'GET', '/api/auth/me', { headers: { cookie } });
      assert.equal(outcomeOf(user), '401 ACCESS_TOKEN_MISSING');
    });

    it('the admin interface refuses requests from other origins, including reads', async () => {
      const { cookie } = await staff();
      for (const headers of [
        { origin: 'https://evil.example' },
        { origin: 'https://app.example' },
        { origin: 'null' },
        { 'sec-fetch-site': 'same-site' },
      ])
        for (const line of lines)
          assert.equal(
            (await askAdmin(stage.url, line, { cookie, headers, ...bodyOf(line) })).outcome,
            '403 CSRF_REJECTED',
          );
      const own = { origin: stage.url, 'sec-fetch-site': 'same-origin' };
      assert.equal((await askAdmin(stage.url, 'GET /session', { cookie, headers: own })).outcome, '200');
    });

    it('the admin interface masks users, finds them, and reveals one only for a reason, which is audited', async () => {
      const { ask } = await staff('Ada');
      const { JWT, phone } = await enter(stage.url);
      const email = newAddress();
      await bindAddress(stage.url, JWT, email);
      const { id } = (await me(stage.url, JWT)).body.data;
      const masked = `${phone.slice(0, 3)}•••${phone.slice(-2)}`;
      for (const who of [id, phone, email.toUpperCase(), phone.slice(-6)]) {
        const { data } = await ask('POST /users/search', { who });
        const [found] = data.users;
        assert.deepEqual([found.id, found.phone, found.email], [id, masked, `${email[0]}•••@example.com`], who);
      }
      assert.equal((await ask('POST /users/search', { who: '' })).data.users[0].id, id);
      assert.equal((await ask('POST /users/search', { who: 'x' })).outcome, '400 REQUEST_INVALID');
      assert.equal((await ask('POST /users/search', { who: '', cursor: 'x' })).outcome, '400 REQUEST_INVALID');
      const seen = await Promise.all(
        ['', '/timeline', '/messages', '/files'].map((rest) => ask(`GET /users/${id}${rest}`)),
      );
      for (const { outcome: how, text } of seen) {
        assert.equal(how, '200');
        assert.ok(!text.includes(phone) && !text.includes(email) && !text.includes('127.0.0.1'), text);
      }
      assert.equal(seen[0]?.data.sessions[0].address, '127.0.•••');
      for (const reason of [undefined, '', ' \n ', 'x'.repeat(401)])
        assert.equal((await ask(`POST /users/${id}/reveal`, { reason })).outcome, '400 REQUEST_INVALID');
      const { data } = await ask(`POST /users/${id}/reveal`, { reason: 'they called' });
      assert.deepEqual([data.user.phone, data.user.email], [phone, email]);
      assert.equal(data.sessions[0].address, '127.0.0.1');
      const { events } = (await ask('GET /audit')).data;
      const { kind: what, userId, detail } = events[0];
      assert.deepEqual([what, userId, detail.admin, detail.why], ['user.revealed', id, 'Ada', 'they called']);
      assert.ok(!JSON.stringify(events).includes(phone));
    });

    it('the admin interface finds, shows, reveals, traces and deletes an account without a number', async () => {
      const { ask } = await staff('Ada');
      const { JWT, phone } = await enter(stage.url);
      const email = newAddress();
      await bindAddress(stage.url, JWT, email);
      const { id } = (await me(stage.url, JWT)).body.data;
      await askStore(stage.env, `update users set phone = null where id = '${id}' returning id`);
      for (const who of [id, email]) {
        const [found] = (await ask('POST /users/search', { who })).data.users;
        assert.deepEqual([found.id, found.phone, found.email], [id, null, `${email[0]}•••@example.com`], who);
      }
      for (const who of [phone, phone.slice(-6)])
        assert.deepEqual((await ask('POST /users/search', { who })).data.users, []);
      const shown = await ask(`GET /users/${id}`);
      assert.deepEqual([shown.data.user.phone, shown.data.sessions.length], [null, 1]);
      assert.ok(shown.data.limits.length > 0, 'the limits of the address');
      const { entries } = (await ask(`GET /users/${id}/timeline`)).data;
      assert.ok(entries.some((entry: { kind: string }) => entry.kind === 'email.bound'));
      for (const rest of ['/messages', '/files']) assert.equal((await ask(`GET /users/${id}${rest}`)).outcome, '200');
      const act = (path: string, more = {}) => ask(`POST /users/${id}${path}`, { reason: 'ticket 7', ...more });
      const { data } = await act('/reveal');
      assert.deepEqual([data.user.phone, data.user.email], [null, email]);
      assert.equal((await act('/export')).data.user.phone, null);
      for (const path of ['/limits/clear', '/block', '/unblock']) assert.equal((await act(path)).outcome, '200', path);
      assert.equal((await act('/delete', { confirm: id.slice(-4) })).outcome, '200');
    });

    it('the timeline of a user lists code requests, sent messages, wrong codes, sign-ins and reached limits', async () => {
      const { ask } = await staff();
      const { JWT, phone } = await enter(stage.url);
      await call(stage.url, 'POST', '/api/auth/phone/login', { body: { phone, otp: '000000' } });
      stage.clock.advance(301);
      await askForCode(stage.url, phone);
      assert.equal(outcomeOf(await sendOtp(stage.url, phone)), '429 OTP_SEND_LIMIT');
      await allSent(stage.env);
      const { id } = (await me(stage.url, JWT)).body.data;
      const { entries, next } = (await ask(`GET /users/${id}/timeline`)).data;
      const kinds = entries.map((entry: { kind: string }) => entry.kind);
      for (const event of [
        'otp.requested',
        'message.sent',
        'otp.failed',
        'login.succeeded',
        'user.created',
        'limits.reached',
      ])
        assert.ok(kinds.includes(event), `${event} in ${kinds}`);
      const sent = entries.find((entry: { kind: string }) => entry.kind === 'message.sent');
      assert.equal(sent.detail.provider, 'inbox');
      assert.equal(next, null);
      const { messages } = (await ask(`GET /users/${id}/messages`)).data;
      assert.deepEqual([messages.length, messages[0].state, messages[0].provider], [2, 'sent', 'inbox']);
      const { limits } = (await ask(`GET /users/${id}`)).data;
      const sends = limits.find((limit: { kind: string }) => limit.kind === 'sends');
      assert.ok(sends.hits === 2 && sends.blockedSeconds > 0);
      const stranger = await ask('POST /recipients/search', { whom: phone });
      assert.equal(stranger.data.userId, id);
      assert.deepEqual(stranger.data.limits, limits);
      assert.equal((await ask(`POST /users/${id}/limits/clear`, { reason: 'a test' })).outcome, '200');
      assert.equal(outcomeOf(await sendOtp(stage.url, phone)), '200');
    });

    const storeAppData = (userId: UserId) =>
      stage.service.store.call('backendUsers.change', {
        userId,
        patch: {
          externalId: 'customer-1',
          claims: '{"plan":"pro"}',
          'metadata.public': '{"theme":"dark"}',
          'metadata.private': '{"score":7}',
        },
        by: { actor: 'service', key: 'key', why: '' },
        now: stage.clock.now(),
      });

    it('staff can block, unblock, sign out and delete a user, end a session, delete a file and export, and each action is audited', async () => {
      const { ask } = await staff('Grace');
      const user = await enter(stage.url);
      const { id } = (await me(stage.url, user.JWT)).body.data;
      const act = async (path: string, more = {}) => ask(`POST /users/${id}${path}`, { reason: 'ticket 7', ...more });
      const text = { purpose: 'document', name: 'a.txt', type: 'text/plain', bytes: Buffer.from('words') };
      const stored = await storeFile(stage.url, { ...text, token: user.JWT });
      const { files } = (await ask(`GET /users/${id}/files`)).data;
      assert.deepEqual([files.length, files[0].id], [1, stored.id]);
      await storeAppData(id);
      const exported = (await act('/export')).data;
      assert.deepEqual([exported.user.phone, exported.files.length], [user.phone, 1]);
      const app = { externalId: 'customer-1', claims: { plan: 'pro' }, metadata: { theme: 'dark' } };
      assert.deepEqual(exported.app, app, 'all but the private metadata');
      assert.equal((await act(`/files/${files[0].id}/delete`)).outcome, '200');
      assert.equal((await act(`/files/${files[0].id}/delete`)).outcome, '404 FILE_NOT_FOUND');
      const { sessions } = (await ask(`GET /users/${id}`)).data;
      assert.equal((await act(`/sessions/${sessions[0].id}/end`)).outcome, '200');
      assert.equal((await act(`/sessions/${sessions[0].id}/end`)).outcome, '404 NOT_FOUND');
      assert.equal((await act('/sessions/no-id/end')).outcome, '404 NOT_FOUND');
      assert.equal(outcomeOf(await me(stage.url, user.JWT)), '401 SESSION_REVOKED');
      await enter(stage.url, user.phone);
      assert.deepEqual((await act('/sign-out')).data, { endedSessions: 1 });
      assert.equal((await act('/block')).outcome, '200');
      assert.notEqual((await ask(`GET /users/${id}`)).data.user.blockedAt, null);
      assert.equal((await act('/unblock')).outcome, '200');
      assert.equal((await act(`/messages/${newId()}/resend`)).outcome, '409 MESSAGE_GONE');
      assert.equal((await act('/delete', { confirm: 'nope' })).outcome, '400 REQUEST_INVALID');
      assert.equal((await act('/delete', { confirm: id.slice(-4) })).outcome, '200');
      assert.equal((await ask(`GET /users/${id}`)).outcome, '404 NOT_FOUND');
      assert.equal((await act('/block')).outcome, '404 NOT_FOUND');
      const { events } = (await ask('GET /audit')).data;
      const mine = events.filter((event: { userId: UserId }) => event.userId === id);
      const done = [
        'user.data-changed',
        'user.exported',
        'file.deleted',
        'session.ended',
        'user.signed-out',
        'user.blocked',
        'user.unblocked',
      ];
      assert.deepEqual(
        mine.map((event: { kind: string }) => event.kind).toSorted(),
        [...done, 'user.deleted'].toSorted(),
      );
      for (const { kind, detail } of mine) {
        if (kind === 'user.data-changed') assert.equal(detail.actor, 'service');
        else assert.deepEqual([detail.admin, detail.why], ['Grace', 'ticket 7']);
      }
    });

    it('staff can clear the limits of a recipient, see the spending and lift a suspension', async () => {
      const { ask } = await staff();
      const phone = newPhone();
      await askForCode(stage.url, phone);
      const before = await ask('POST /recipients/search', { whom: phone });
      assert.equal(before.data.userId, null);
      assert.ok(before.data.timeline.entries.length > 0);
      const clear = { whom: phone, reason: 'a test' };
      assert.ok((await ask('POST /recipients/clear', clear)).data.cleared > 0);
      assert.equal((await ask('POST /recipients/search', { whom: '203.0.113.7' })).data.limits[0].kind, 'address');
      assert.equal((await ask('POST /recipients/search', { whom: 'somebody' })).outcome, '400 REQUEST_INVALID');
      assert.equal((await ask('POST /recipients/search', { whom: 'ann@' })).outcome, '400 EMAIL_INVALID');
      assert.equal((await ask('POST /recipients/clear', { ...clear, whom: 'ann@' })).outcome, '400 EMAIL_INVALID');
      const { data } = await ask('GET /spend');
      assert.deepEqual(Object.keys(data), ['day', 'sent', 'most', 'mostPerCountry', 'suspended', 'countries']);
      assert.equal((await ask('POST /spend/lift', { reason: 'a test', country: 'gb' })).outcome, '400 REQUEST_INVALID');
      assert.equal((await ask('POST /spend/lift', { reason: 'a test', country: 'GB' })).outcome, '200');
      assert.equal(
        (await ask('POST /spend/lift', { reason: 'a test', country: '+8701' })).outcome,
        '400 REQUEST_INVALID',
      );
      assert.equal((await ask('POST /spend/lift', { reason: 'a test', country: '+870' })).outcome, '200');
      const { events } = (await ask('GET /audit')).data;
      assert.equal(events[0].kind, 'limits.cleared', 'no country was suspended, so there was nothing to lift');
    });

    it('the admin interface answers malformed input with a status below 500', async () => {
      const { ask } = await staff();
      const { JWT } = await enter(stage.url);
      const { id } = (await me(stage.url, JWT)).body.data;
      const odd = ['\u0000', 'x'.repeat(5000), `' or 1=1 --`, '%', '🙂', null, {}];
      const known = lines.filter((line) => line !== 'DELETE /session' && !line.endsWith('/delete'));
      for (const line of known.map((one) => one.replace(user, `/users/${id}`))) {
        for (const value of odd) {
          const text = encodeURIComponent(typeof value === 'string' ? value.toWellFormed() : JSON.stringify(value));
          const fields = Object.fromEntries([...Object.keys(body), 'cursor', 'country'].map((name) => [name, value]));
          const replies = line.startsWith('GET')
            ? [await ask(`${line}?cursor=${text}`), await ask(line.replace(id, text))]
            : [await ask(line, fields)];
          for (const reply of replies) assert.ok(reply.status < 500, `${line} ${text}: ${reply.outcome}`);
        }
      }
    });

    it('the admin interface limits sign-in attempts', async () => {
      let reply = await askAdmin(stage.url, 'POST /session', { body: { token: 'x' } });
      // After twenty attempts. The limit slides with the time, so that a few more may pass at the border of two minutes.
      for (let round = 0; round < 24 && reply.status !== 429; round++)
        reply = await askAdmin(stage.url, 'POST /session', { body: { token: 'x' } });
      assert.equal(reply.outcome, '429 RATE_LIMITED');
      assert.ok(Number(reply.headers.get('retry-after')) > 0);
    });
  });
  describe(`SMS spending in the admin interface, on ${kind}`, () => {
    const stage = setStage(kind, { SMS_DAILY_LIMIT: '3', SMS_DAILY_LIMIT_PER_COUNTRY: '2' });

    it('staff see the SMS count against the spending brake, and lift a suspension by giving a reason', async () => {
      const { ask } = await enterStaff(stage.url, (await issueTo(stage.service, stage.clock, 'Ada')).token);
      const send = async (phone = newPhone()) => outcomeOf(await sendOtp(stage.url, phone));
      const spent = async () => {
        const { sent, suspended, countries } = (await ask('GET /spend')).data;
        const [us] = countries.filter((one: { country: string }) => one.country === 'US');
        return [sent, suspended, us?.sent, us?.suspendedBy];
      };
      assert.equal(await send(), '200');
      assert.deepEqual(await spent(), [1, false, 1, null]);
      assert.equal(await send(), '200');
      assert.equal(await send(), '503 SMS_SUSPENDED');
      assert.deepEqual(await spent(), [2, false, 2, 'country']);
      assert.equal((await ask('POST /spend/lift', { reason: 'a match is on', country: 'US' })).outcome, '200');
      assert.equal(await send(), '200');
      assert.equal(await send('+447400123456'), '503 SMS_SUSPENDED', 'the limit of the day covers all countries');
      assert.deepEqual(await spent(), [3, true, 1, null]);
      assert.equal((await ask('POST /spend/lift', { reason: 'a match is on' })).outcome, '200');
      assert.equal(await send('+447400123456'), '200');
      const { events } = (await ask('GET /audit')).data;
      const { kind: what, detail } = events[0];
      assert.deepEqual([what, detail.admin, detail.why], ['sms.resumed', 'Ada', 'a match is on']);
    });
  });
}
