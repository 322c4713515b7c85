// Cookies: the attributes of each, and what is read from a Cookie header that anybody may have written.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { createCookieWriter, readCookie } from '../../../src/http/interface/cookies.ts';
import { Failure } from '../../../src/kernel/failure.ts';
import { seed } from '../../helpers/faults/rounds.ts';
import { asSessionId } from '../../helpers/people/ids.ts';

describe('writing cookies', () => {
  for (const [scheme, secure] of [
    ['HTTP', ''],
    ['HTTPS', '; Secure'],
  ] as const) {
    const writer = createCookieWriter(scheme === 'HTTPS');
    const life = { accessSeconds: 899.2, refreshSeconds: 3600 };

    it(`the token cookies on ${scheme} cannot be read by scripts, and the refresh token goes to its own paths only`, () => {
      assert.deepEqual(writer.tokens({ sessionId: asSessionId('s'), accessToken: 'at', refreshToken: 'rt' }, life), [
        `JWT=at; Max-Age=900; Path=/; HttpOnly; SameSite=Lax${secure}`,
        `RT=rt; Max-Age=3600; Path=/api/auth; HttpOnly; SameSite=Strict${secure}`,
      ]);
    });

    it(`the token cookies on ${scheme} are cleared with the attributes with which they are set`, () => {
      assert.deepEqual(writer.clear(), [
        `JWT=; Max-Age=0; Path=/; HttpOnly; SameSite=Lax${secure}`,
        `RT=; Max-Age=0; Path=/api/auth; HttpOnly; SameSite=Strict${secure}`,
      ]);
    });

    it(`the cookie for apps on ${scheme} lives as long as the refresh token, goes to the paths of apps and to their consent only, and is cleared too`, () => {
      const forApps = createCookieWriter(scheme === 'HTTPS', (id) => `sealed-${id}`);
      const pair = { sessionId: asSessionId('s'), accessToken: 'at', refreshToken: 'rt' };
      const rests = ['/oauth', '/api/auth/apps/consent'].map((path) => `Path=${path}; HttpOnly; SameSite=Lax${secure}`);
      assert.deepEqual(
        forApps.tokens(pair, life).slice(2),
        rests.map((rest) => `SSO=sealed-s; Max-Age=3600; ${rest}`),
      );
      assert.deepEqual(
        forApps.clear().slice(2),
        rests.map((rest) => `SSO=; Max-Age=0; ${rest}`),
      );
    });

    it(`the other cookies on ${scheme} are sent only where they are needed`, () => {
      assert.equal(writer.ask('x', 0.1), `ask=x; Max-Age=1; Path=/api/auth; HttpOnly; SameSite=Strict${secure}`);
      assert.equal(writer.device('x', 60), `DV=x; Max-Age=60; Path=/api/auth; HttpOnly; SameSite=Strict${secure}`);
      assert.equal(writer.admin('x', 60), `ADMIN=x; Max-Age=60; Path=/api/admin; HttpOnly; SameSite=Strict${secure}`);
      assert.equal(writer.browser('x', 60), `lb=x; Max-Age=60; Path=/; HttpOnly; SameSite=Lax${secure}`);
    });
  }
});

describe('reading a cookie', () => {
  for (const [header, expected] of [
    [undefined, undefined],
    ['', undefined],
    ['JWT=abc', 'abc'],
    ['a=b; JWT=abc; c=d', 'abc'],
    ['a=b;JWT=abc;c=d', 'abc'],
    [' JWT = abc ', 'abc'],
    ['JWT=a=b', 'a=b'],
    ['JWT=abc; JWT=abc', 'abc'],
    ['JWT=', undefined],
    ['JWT', undefined],
    ['jwt=abc', undefined],
    ['xJWT=abc', undefined],
    ['JWTx=abc', undefined],
    ['a=JWT=abc', undefined],
    ['a="JWT=abc"', undefined],
    ['RT=x; JWT=abc', 'abc'],
  ] as const) {
    it(`the cookie JWT of ${JSON.stringify(header)} is ${JSON.stringify(expected)}`, () => {
      assert.equal(readCookie(header, 'JWT'), expected);
    });
  }

  for (const header of [
    'JWT=abc; JWT=xyz',
    'JWT=abc; a=b; JWT=',
    'JWT=; JWT=abc',
    'JWT=a=b;JWT=a=c',
    'JWT=abc; JWT =xyz',
  ]) {
    it(`a header with two different values is refused: ${header}`, () => {
      assert.throws(() => readCookie(header, 'JWT'), { code: 'REQUEST_INVALID', detail: { field: 'cookie JWT' } });
      assert.equal(readCookie(header, 'RT'), undefined);
    });
  }

  it('no header causes any error but a refusal, and every cookie that a writer sets is read back beside others', () => {
    const junk = fc
      .array(fc.constantFrom('=', ';', ',', '"', '%', '\\', ' ', '\t', 'RT', '__proto__', '%00', 'ÿ', 'x'), {
        maxLength: 20,
      })
      .map((words) => words.join(''));
    fc.assert(
      fc.property(junk, fc.stringMatching(/^[\w-]{1,20}$/), (text, value) => {
        assert.equal(readCookie(`${text}; JWT=${value}`, 'JWT'), value);
        for (const name of ['RT', '__proto__', 'constructor', '']) {
          try {
            const found = readCookie(`${text}; RT=1`, name);
            assert.ok(found === undefined || typeof found === 'string');
          } catch (error) {
            assert.ok(error instanceof Failure && error.code === 'REQUEST_INVALID', String(error));
          }
        }
      }),
      { numRuns: 300, seed },
    );
  });
});
