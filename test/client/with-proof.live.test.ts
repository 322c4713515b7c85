// The client repeats a call that needs a recent sign-in, after it has asked for a code and proved it.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { createClient, createSignedIn } from '../helpers/client/stage.ts';
import { asSessionId, asUserId } from '../helpers/people/ids.ts';
import { codeIn, messagesTo, newAddress, otherThan } from '../helpers/people/users.ts';
import { setStage } from '../helpers/services/stage.ts';
import { waitUntil } from '../helpers/wait-until.ts';

describe('a call of the client that needs a recent sign-in', () => {
  const stage = setStage('sqlite');
  const tenMinutes = 600;
  const enterLongAgo = async () => {
    const user = await createSignedIn(stage.url);
    stage.clock.advance(tenMinutes + 1);
    return user;
  };
  /** The code in the newest message, when so many have arrived. */
  const codeAfter = (messages: number, to: string) =>
    waitUntil(`${messages} messages to ${to}`, async () => {
      const all = await messagesTo(stage.url, to);
      return all.length >= messages && all[0] !== undefined ? codeIn(all[0]) : undefined;
    });

  it('the call runs once where the sign-in is recent, and asks for nothing', async () => {
    const { gatehouse, lines } = await createSignedIn(stage.url);
    await gatehouse.withProof(gatehouse.deleteAccount, () => assert.fail('asked'));
    assert.deepEqual(lines.slice(-1), ['DELETE /api/auth/me']);
    assert.equal(await gatehouse.isSignedIn(), false);
  });

  it('the call is repeated after the code, and a refused code is asked for again with its reason', async () => {
    const { gatehouse, phone, count } = await enterLongAgo();
    const asked: (string | undefined)[] = [];
    await gatehouse.withProof(gatehouse.deleteAccount, async ({ via, error }) => {
      assert.equal(via, 'phone');
      asked.push(error?.code);
      const code = await codeAfter(2, phone);
      return asked.length === 1 ? otherThan(code) : code;
    });
    assert.deepEqual(asked, [undefined, 'OTP_INVALID']);
    assert.equal(count('DELETE /api/auth/me'), 2);
    assert.equal(await gatehouse.isSignedIn(), false);
  });

  it('the code can be sent by e-mail instead, and the session goes on with the next refresh token', async () => {
    const { gatehouse } = await createSignedIn(stage.url);
    const address = newAddress();
    await gatehouse.email.sendCode(address);
    await gatehouse.email.bind(address, await codeAfter(1, address));
    stage.clock.advance(tenMinutes + 1);
    const other = newAddress();
    await gatehouse.withProof(
      () => gatehouse.email.sendCode(other),
      async ({ send }) => {
        await send('email');
        return codeAfter(2, address);
      },
    );
    await gatehouse.email.bind(other, await codeAfter(1, other));
    await gatehouse.refresh();
    assert.equal((await gatehouse.me()).email, other);
  });

  it('the user is asked although no code could be sent by SMS, and can choose the e-mail address', async () => {
    const suspended = { success: false, message: 'Suspended.', codeError: 'SMS_SUSPENDED', data: null };
    let isSuspended = true;
    const { gatehouse } = await createSignedIn(stage.url, {}, (line, pass) => {
      if (line !== 'POST /api/auth/proof/send' || !isSuspended) return pass();
      isSuspended = false;
      return Promise.resolve(Response.json(suspended, { status: 503 }));
    });
    const address = newAddress();
    await gatehouse.email.sendCode(address);
    await gatehouse.email.bind(address, await codeAfter(1, address));
    stage.clock.advance(tenMinutes + 1);
    await gatehouse.withProof(gatehouse.deleteAccount, async ({ error, send }) => {
      assert.equal(error?.code, 'SMS_SUSPENDED');
      await send('email');
      return codeAfter(2, address);
    });
    assert.equal(await gatehouse.isSignedIn(), false);
  });

  it('an outage while the code is confirmed costs no code: it is asked for again, and the same one counts', async () => {
    const away = { success: false, message: 'Try again.', codeError: 'SERVICE_UNAVAILABLE', data: null };
    let isAway = true;
    const { gatehouse, phone } = await createSignedIn(stage.url, {}, (line, pass) => {
      if (line !== 'POST /api/auth/proof' || !isAway) return pass();
      isAway = false;
      return Promise.resolve(Response.json(away, { status: 503 }));
    });
    stage.clock.advance(tenMinutes + 1);
    const asked: (string | undefined)[] = [];
    await gatehouse.withProof(gatehouse.deleteAccount, ({ error }) => {
      asked.push(error?.code);
      return codeAfter(2, phone);
    });
    assert.deepEqual(asked, [undefined, 'SERVICE_UNAVAILABLE']);
    assert.equal(await gatehouse.isSignedIn(), false);
  });

  it('the first code goes by e-mail where the app says so', async () => {
    const { gatehouse } = await createSignedIn(stage.url);
    const address = newAddress();
    await gatehouse.email.sendCode(address);
    await gatehouse.email.bind(address, await codeAfter(1, address));
    stage.clock.advance(tenMinutes + 1);
    const ask = ({ via }: { via: string }) => {
      assert.equal(via, 'email');
      return codeAfter(2, address);
    };
    await gatehouse.withProof(gatehouse.deleteAccount, ask, 'email');
    assert.equal(await gatehouse.isSignedIn(), false);
  });

  it('the call fails as it did where the user cancels, and the user stays signed in', async () => {
    const { gatehouse, count } = await enterLongAgo();
    for (const answer of [undefined, null, ''])
      await assert.rejects(
        gatehouse.withProof(gatehouse.deleteAccount, () => answer),
        { code: 'RECENT_SIGN_IN_REQUIRED' },
      );
    assert.equal(count('DELETE /api/auth/me'), 3);
    assert.equal(await gatehouse.isSignedIn(), true);
  });

  it('any other failure of the call, and of the proof, is passed on without a question', async () => {
    const { gatehouse } = createClient(stage.url);
    await assert.rejects(
      gatehouse.withProof(gatehouse.deleteAccount, () => assert.fail('asked')),
      { code: 'ACCESS_TOKEN_MISSING' },
    );
    const failure = new Error('of the app itself');
    await assert.rejects(
      gatehouse.withProof(
        () => Promise.reject(failure),
        () => assert.fail('asked'),
      ),
      failure,
    );
  });

  it('a session that ended meanwhile signs the user out', async () => {
    const { gatehouse, phone } = await enterLongAgo();
    const ended: string[] = [];
    gatehouse.on('signed-out', ({ reason }) => ended.push(reason));
    await assert.rejects(
      gatehouse.withProof(gatehouse.deleteAccount, async () => {
        const code = await codeAfter(2, phone);
        await stage.service.store.call('sessions.endSessions', {
          ...(await sessionOf(gatehouse)),
          scope: 'this',
          reason: 'revoked',
          now: stage.clock.now(),
        });
        return code;
      }),
      { code: 'SESSION_REVOKED' },
    );
    assert.deepEqual(ended, ['ended']);
  });

  const sessionOf = async (gatehouse: Awaited<ReturnType<typeof createSignedIn>>['gatehouse']) => {
    const { id: userId } = await gatehouse.me();
    const current = (await gatehouse.sessions.list()).find((session) => session.current);
    return { userId: asUserId(userId), sessionId: asSessionId(current?.id ?? assert.fail('no session')) };
  };
});
