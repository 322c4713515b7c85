// The refusals that routes share: every route that publishes one gives it, for the reason that the docs name.

import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { allLines } from '../../../scripts/site/all-lines.ts';
import { writeProofTicket } from '../../../src/auth/sign-in/proof-ticket.ts';
import { backendScopes } from '../../../src/backend/service-key.ts';
import { readConfig } from '../../../src/config/config.ts';
import { newUploadId } from '../../../src/files/resumable/resumable-upload.ts';
import { newFileId } from '../../../src/files/stored-file.ts';
import type { GuardName, RouteLine } from '../../../src/http/interface/route-line.ts';
import { maxBodyBytes } from '../../../src/http/server/json-body.ts';
import type { Clock } from '../../../src/kernel/clock.ts';
import { newId } from '../../../src/kernel/crypto/random.ts';
import { createSecrets } from '../../../src/kernel/crypto/secrets.ts';
import { Failure, type FailureCode } from '../../../src/kernel/failure.ts';
import { newUserId } from '../../../src/kernel/ids.ts';
import { type OpenedStore, openStore } from '../../../src/store/open-store.ts';
import { asPhone } from '../../helpers/people/ids.ts';
import { appSettings, openBrowser, stranger, ticketOf } from '../../helpers/people/oauth.ts';
import { createServiceKey } from '../../helpers/people/service-keys.ts';
import { enterStaff, issueTo } from '../../helpers/people/staff.ts';
import { enter } from '../../helpers/people/users.ts';
import { call, readEnvelope } from '../../helpers/requests/api.ts';
import { request, sendRaw } from '../../helpers/requests/raw-request.ts';
import { createTestClock, type Gatehouse, isolatedEnv, startGatehouse } from '../../helpers/services/gatehouse.ts';
import { setStage } from '../../helpers/services/stage.ts';
import { waitUntil } from '../../helpers/wait-until.ts';

const lines = allLines();
const guardedBy = (guard: GuardName) => lines.filter(({ guards }) => guards.includes(guard));
const withBody = lines.filter(({ method, route }) => method !== 'GET' && route.takesStream !== true);

type Credentials = (line: RouteLine) => string[];

type Ask = { readonly headers?: readonly string[]; readonly body?: string; readonly query?: string };

/** Every route must refuse the same request with the same code. */
async function expectRefusals(
  url: string,
  asked: readonly RouteLine[],
  code: FailureCode,
  ask: (line: RouteLine) => Ask,
): Promise<void> {
  assert.ok(asked.length > 0);
  const answers = await Promise.all(
    asked.map(async (line) => [line.name, await codeOf(url, line, ask(line))] as const),
  );
  assert.deepEqual(
    answers.filter(([, answer]) => answer !== code),
    [],
    `all must answer ${code}`,
  );
}

async function codeOf(url: string, { method, path }: RouteLine, { headers = [], body, query = '' }: Ask) {
  const id = path.includes('/upload/:') ? newUploadId() : /files?\/(trash\/)?:/.test(path) ? newFileId() : newId();
  const [reply] = await sendRaw(url, request(`${method} ${path.replaceAll(/:\w+/g, id)}${query}`, headers, body));
  if (reply === undefined) return 'no answer';
  assert.ok(!reply.body.includes(inside), reply.body);
  return readEnvelope(reply.body).codeError;
}

/** In the message of a fault. No answer may contain it. */
const inside = 'known only inside';

const json = 'Content-Type: application/json';
const foreign = 'Origin: https://evil.example';

/** A valid value for each field, so that a request gets as far as the store. */
const values: Readonly<Record<string, unknown>> = {
  name: 'a server',
  users: [],
  scopes: ['users:read'],
  days: 30,
  recipient: 'ann@example.com',
  email: 'ann@example.com',
  phone: asPhone('+12025550123'),
  otp: '123456',
  token: 'a'.repeat(43),
  who: '',
  whom: asPhone('+12025550123'),
  reason: 'a test',
  via: 'phone',
};

function validBody({ name, route }: RouteLine): Ask {
  if (name === 'appendUpload')
    return {
      headers: ['Content-Type: application/partial-upload', 'Upload-Offset: 0', 'Upload-Complete: ?0'],
      body: 'a',
    };
  if (route.takesStream === true)
    return { headers: ['Content-Type: text/plain'], body: 'a', query: `?purpose=document&user=${newId()}` };
  if (route.body === undefined) return {};
  const { required = [] } = route.body as { required?: string[] };
  const body: Record<string, unknown> = Object.fromEntries(required.map((field) => [field, values[field] ?? '']));
  if (name === 'sendPhoneOtp' || name === 'sendPhoneChangeOtp') body.recipient = asPhone('+12025550123');
  if (name === 'reportNotMe') body.token = 'a'.repeat(32);
  return { headers: [json], body: JSON.stringify(body) };
}

describe('the refusals of every route', () => {
  const stage = setStage('sqlite');

  it('every route refuses a head with two origins', () =>
    expectRefusals(stage.url, lines, 'REQUEST_INVALID', () => ({ headers: [foreign, foreign] })));

  it('every route refuses content encoding', () =>
    expectRefusals(stage.url, lines, 'MEDIA_TYPE_UNSUPPORTED', () => ({ headers: ['Content-Encoding: gzip'] })));
});

describe('the refusals of a limit', () => {
  const stage = setStage('sqlite', { LIMIT_REQUESTS_PER_IP: '1/24h' });

  it('every route refuses an IP address that has sent too many requests', async () => {
    await fetch(`${stage.url}/api/auth/captcha/challenge`);
    await expectRefusals(stage.url, lines, 'RATE_LIMITED', () => ({}));
  });
});

describe('the refusals of routes that require an access token', () => {
  const stage = setStage('sqlite');
  const asked = guardedBy('access');
  const bearer = (token: string) => () => ({ headers: [`Authorization: Bearer ${token}`] });

  it('every route that requires an access token refuses a request without one', () =>
    expectRefusals(stage.url, asked, 'ACCESS_TOKEN_MISSING', () => ({})));

  it('every route that requires an access token refuses a forged one', () =>
    expectRefusals(stage.url, asked, 'ACCESS_TOKEN_INVALID', bearer('a.b.c')));

  it('every route that requires an access token refuses the one of a session that was signed out', async () => {
    const { JWT } = await enter(stage.url);
    await call(stage.url, 'POST', '/api/auth/logout', { token: JWT });
    await expectRefusals(stage.url, asked, 'SESSION_REVOKED', bearer(JWT));
  });

  it('every route that requires an access token refuses an expired one', async () => {
    const { JWT } = await enter(stage.url);
    stage.clock.advance(24 * 3600);
    await expectRefusals(stage.url, asked, 'ACCESS_TOKEN_EXPIRED', bearer(JWT));
  });

  it('every route that needs the browser of the user refuses an access token alone', async () => {
    const { JWT } = await enter(stage.url);
    await expectRefusals(stage.url, guardedBy('browser'), 'BROWSER_SESSION_REQUIRED', bearer(JWT));
    const cookie = () => ({ headers: [`Cookie: JWT=${JWT}`] });
    await expectRefusals(stage.url, guardedBy('browser'), 'BROWSER_SESSION_REQUIRED', cookie);
  });

  it('every route that changes something refuses a cookie from another origin', async () => {
    const { JWT, RT } = await enter(stage.url);
    const cookies = () => ({ headers: [`Cookie: JWT=${JWT}; RT=${RT}`, foreign] });
    await expectRefusals(stage.url, guardedBy('origin'), 'CSRF_REJECTED', cookies);
    await expectRefusals(stage.url, guardedBy('refresh-origin'), 'CSRF_REJECTED', cookies);
    const mixed = () => ({ headers: [`Authorization: Bearer ${JWT}`, `Cookie: RT=${RT}`, foreign] });
    await expectRefusals(stage.url, guardedBy('refresh-origin'), 'CSRF_REJECTED', mixed);
  });
});

describe('the refusals of routes that need a captcha', () => {
  const dead = encodeURIComponent('http://127.0.0.1:9/siteverify');
  const stage = setStage('sqlite', { CAPTCHA_URL: `turnstile://site:secret?verify=${dead}` });
  const asked = guardedBy('captcha');
  let access = '';
  before(async () => {
    await stage.restart({ CAPTCHA_URL: 'open:' });
    access = `Authorization: Bearer ${(await enter(stage.url)).JWT}`;
    await stage.restart();
  });
  const solved = (token?: string) => (line: RouteLine) => {
    const { headers = [], ...rest } = validBody(line);
    return { ...rest, headers: [...headers, access, ...(token === undefined ? [] : [`captcha-token: ${token}`])] };
  };

  it('every route that needs a captcha refuses a request without its solution', () =>
    expectRefusals(stage.url, asked, 'CAPTCHA_REQUIRED', solved()));

  it('every route that needs a captcha refuses a solution that is too long to be one', () =>
    expectRefusals(stage.url, asked, 'CAPTCHA_INVALID', solved('a'.repeat(5000))));

  it('every route that needs a captcha refuses a request while the provider does not respond', () =>
    expectRefusals(stage.url, asked, 'CAPTCHA_UNAVAILABLE', solved('token')));
});

describe('the refusals of the admin interface', () => {
  const stage = setStage('sqlite');
  const entrance = guardedBy('admin-enabled');
  const inside = guardedBy('admin');

  it('no route of the admin interface exists before an operator creates a staff link; then each requires staff and our own origin', async () => {
    await expectRefusals(stage.url, [...entrance, ...inside], 'NOT_FOUND', () => ({}));
    await issueTo(stage.service, stage.clock, 'Ann');
    await expectRefusals(stage.url, [...entrance, ...inside], 'CSRF_REJECTED', () => ({ headers: [foreign] }));
    await expectRefusals(stage.url, inside, 'ADMIN_REQUIRED', () => ({}));
  });
});

describe('the refusals of the back end', () => {
  const stage = setStage('sqlite');
  const asked = guardedBy('backend');
  const at = (scope: string | undefined) => backendScopes.map(String).indexOf(scope ?? '');

  it('no route of the back end exists before an operator creates a key; then each requires one with its scope', async () => {
    await expectRefusals(stage.url, asked, 'NOT_FOUND', () => ({}));
    const keys = await Promise.all(backendScopes.map((scope) => createServiceKey(stage, [scope])));
    await waitUntil(
      'the keys',
      async () => (await fetch(`${stage.url}/api/service/events`)).status === 403 || undefined,
    );
    await expectRefusals(stage.url, asked, 'SERVICE_KEY_INVALID', () => ({}));
    await expectRefusals(stage.url, asked, 'SERVICE_SCOPE_MISSING', ({ scope }) => ({
      headers: [`Authorization: Bearer ${keys[(at(scope) + 1) % keys.length]}`],
    }));
  });
});

describe('the refusals of bodies', () => {
  const settings = appSettings();
  const stage = setStage('sqlite', settings);
  let signedIn: Credentials;
  before(async () => {
    signedIn = await credentials(stage, stage.clock);
  });

  for (const [what, code, headers, body] of [
    ['text that is no JSON', 'JSON_INVALID', [json], '{'],
    ['a form', 'MEDIA_TYPE_UNSUPPORTED', ['Content-Type: application/x-www-form-urlencoded'], 'a=b'],
  ] as const) {
    it(`every route that can have a body refuses ${what}`, () =>
      expectRefusals(stage.url, withBody, code, (line) => ({ headers: [...signedIn(line), ...headers], body })));
  }

  it('every route that can have a body refuses one that is larger than its limit', () =>
    expectRefusals(stage.url, withBody, 'BODY_TOO_LARGE', (line) => ({
      headers: [...signedIn(line), json],
      body: ' '.repeat((line.route.maxBodyBytes ?? maxBodyBytes) + 1),
    })));

  it('every route that can have a body refuses one that does not arrive in time', async (test) => {
    const { env, dispose } = await isolatedEnv('sqlite', settings, 'migrated');
    test.after(dispose);
    const gatehouse = await startGatehouse(env, stage.clock);
    const ofUser = await credentials(gatehouse, stage.clock);
    await gatehouse.stop();
    const hasty = await startGatehouse(env, stage.clock, { times: { server: { bodyMilliseconds: 1 } } });
    test.after(() => hasty.stop());
    await expectRefusals(hasty.url, withBody, 'REQUEST_TIMEOUT', (line) => ({
      headers: [...ofUser(line), json, 'Content-Length: 100'],
    }));
  });
});

describe('the refusals of a service that is broken or without its database', () => {
  let gatehouse: Gatehouse;
  let dispose: () => Promise<void>;
  let signedIn: Credentials;
  let fault: Error | undefined;
  let hang: Promise<never> | undefined;
  /** The challenge of the captcha is computed without the store. */
  const asked = lines.filter(({ name }) => name !== 'captchaChallenge');
  const broken = (store: OpenedStore): OpenedStore => ({
    ...store,
    call: (name, input) => hang ?? (fault === undefined ? store.call(name, input) : Promise.reject(fault)),
  });
  const secret = 'the secret of this service, long enough to be one';
  const tickets = new Map<string, string>();
  const validAsk = (line: RouteLine) => {
    const { headers = [], ...rest } = validBody(line);
    const ticket = tickets.get(line.name);
    return {
      ...rest,
      ...(ticket !== undefined && { body: JSON.stringify({ ticket }) }),
      headers: [...headers, ...signedIn(line), 'captcha-token: any'],
    };
  };
  before(async () => {
    const isolated = await isolatedEnv('sqlite', { ...appSettings(), SECRET: secret }, 'migrated');
    dispose = isolated.dispose;
    const result = readConfig(isolated.env);
    if ('problems' in result) assert.fail(JSON.stringify(result.problems));
    const clock = createTestClock();
    gatehouse = await startGatehouse(isolated.env, clock, { store: openStore(result.config).then(broken) });
    signedIn = await credentials(gatehouse, clock);
    const unused = { userId: newUserId(), phone: asPhone('+12025550123'), lastUse: 0 };
    tickets.set('claimPhone', writeProofTicket(createSecrets(secret), unused, clock.now()));
    tickets.set('allowApp', ticketOf(stranger, createSecrets(secret), clock.now()));
  });
  after(async () => {
    fault = undefined;
    await gatehouse.stop();
    await dispose();
  });

  it('every route that uses the database says so when it is away', async () => {
    fault = new Failure('SERVICE_UNAVAILABLE', { retryAfterSeconds: 1 });
    await expectRefusals(gatehouse.url, asked, 'SERVICE_UNAVAILABLE', validAsk);
  });

  it('every route that waits when a stop waits no longer says that the service stops', async () => {
    const { promise, reject } = Promise.withResolvers<never>();
    hang = promise;
    let isOver = false;
    const refused = expectRefusals(gatehouse.url, asked, 'SERVICE_STOPPING', validAsk).finally(() => {
      isOver = true;
      hang = undefined;
      reject(new Failure('SERVICE_UNAVAILABLE', { retryAfterSeconds: 5 }));
    });
    await waitUntil('every request to be answered', () => {
      gatehouse.service.server.endRequests();
      return isOver;
    });
    await refused;
  });

  it('every route that uses the database answers a fault of the service without its message', async () => {
    fault = new TypeError(inside);
    await expectRefusals(gatehouse.url, asked, 'INTERNAL_ERROR', validAsk);
  });
});

/** The credentials that a route requires, as headers. */
async function credentials(gatehouse: Pick<Gatehouse, 'url' | 'service'>, clock: Clock): Promise<Credentials> {
  const { JWT, RT, cookie: page } = await openBrowser(gatehouse.url);
  const { token } = await issueTo(gatehouse.service, clock, 'Ann');
  const { cookie } = await enterStaff(gatehouse.url, token);
  const key = await createServiceKey({ ...gatehouse, clock });
  return ({ guards }) => {
    if (guards.includes('admin')) return [`Cookie: ${cookie}`];
    if (guards.includes('backend')) return [`Authorization: Bearer ${key}`];
    if (guards.includes('browser')) return [`Cookie: ${page}`];
    return [
      ...(guards.includes('access') ? [`Authorization: Bearer ${JWT}`] : []),
      ...(guards.includes('refresh-origin') ? [`RT: ${RT}`] : []),
    ];
  };
}
