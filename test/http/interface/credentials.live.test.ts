// Every route with every kind of credential: each opens exactly the routes that this file lists for it.
import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import { allLines } from '../../../scripts/site/all-lines.ts';
import type { BackendScope } from '../../../src/backend/service-key.ts';
import { newFileId } from '../../../src/files/stored-file.ts';
import type { RouteLine } from '../../../src/http/interface/route-line.ts';
import { newId } from '../../../src/kernel/crypto/random.ts';
import { appSettings } from '../../helpers/people/oauth.ts';
import { readEnvelope } from '../../helpers/requests/api.ts';
import { tierStoreKinds } from '../../helpers/services/gatehouse.ts';
import { fetchTableOperations } from '../../helpers/services/openapi-document.ts';
import { setStage } from '../../helpers/services/stage.ts';
import { waitUntil } from '../../helpers/wait-until.ts';
import { type Credential, createCredentials } from './credential-kinds.ts';

type Need =
  | 'nothing'
  | 'no foreign page'
  | 'a user'
  | 'the browser of a user'
  | 'a user or an app with files'
  | 'staff'
  | BackendScope;

/** Calls that sign in, that prove themselves by what is in their body, or that show captured messages. */
const open: ReadonlySet<string> = new Set([
  'GET /api/auth/captcha/challenge',
  'POST /api/auth/phone/send/otp',
  'POST /api/auth/phone/login',
  'POST /api/auth/phone/claim',
  'POST /api/auth/email/send/login-link',
  'POST /api/auth/email/login',
  'POST /api/auth/email/link/check',
  'POST /api/auth/not-me',
  'POST /api/auth/refresh-token',
  'GET /api/inbox',
]);

/** What the key of an app's server must allow. A call of the back end that is missing here fails. */
const scopes: Readonly<Record<string, BackendScope>> = {
  'GET /api/service/users': 'users:read',
  'GET /api/service/users/:id': 'users:read',
  'POST /api/service/users/find': 'users:read',
  'PATCH /api/service/users/:id': 'users:write',
  'POST /api/service/users/:id/block': 'users:write',
  'POST /api/service/users/:id/unblock': 'users:write',
  'DELETE /api/service/users/:id': 'users:write',
  'GET /api/service/users/:id/sessions': 'users:read',
  'POST /api/service/users/:id/sessions/end': 'sessions:end',
  'GET /api/service/users/:id/files': 'files:read',
  'GET /api/service/files/:id': 'files:read',
  'GET /api/service/files/:id/content': 'files:read',
  'POST /api/service/files': 'files:write',
  'DELETE /api/service/files/:id': 'files:write',
  'POST /api/service/tokens/check': 'users:read',
  'GET /api/service/events': 'events:read',
};

/** Decided here by the path alone, not by the guards of the line. */
function needOf({ method, path }: RouteLine): Need {
  const call = `${method} ${path}`;
  if (open.has(call)) return 'nothing';
  // The link of a staff member is in the body.
  if (call === 'POST /api/admin/session') return 'no foreign page';
  if (path.startsWith('/api/admin/')) return 'staff';
  if (call === 'POST /api/auth/apps/consent') return 'the browser of a user';
  if (path.startsWith('/api/auth/')) return 'a user';
  if (/^(\/api)?\/file(\/|$)/.test(path)) return 'a user or an app with files';
  const scope = path.startsWith('/api/service/') ? scopes[call] : undefined;
  assert.ok(scope !== undefined, `${call}: say here which credential opens it`);
  return scope;
}

function isOpenTo(need: Need, { opens, isForeign }: Credential): boolean {
  if (need === 'nothing') return true;
  if (need === 'no foreign page') return isForeign !== true;
  if (need === 'the browser of a user') return opens === 'browser';
  if (need === 'a user') return opens === 'users' || opens === 'browser';
  if (need === 'a user or an app with files') return ['users', 'browser', 'files'].some((kind) => kind === opens);
  if (need === 'staff') return opens === 'staff';
  return Array.isArray(opens) && opens.includes(need);
}

/**
 * A query that every route refuses after its guards and before it does anything. So no call has an effect, and whoever is told that
 * the query is wrong was let in.
 */
const probe = '?probe=%00';

const refusals: readonly string[] = [
  'ACCESS_TOKEN_MISSING',
  'ACCESS_TOKEN_INVALID',
  'APP_SCOPE_MISSING',
  'ADMIN_REQUIRED',
  'CSRF_REJECTED',
  'RECENT_SIGN_IN_REQUIRED',
  'BROWSER_SESSION_REQUIRED',
  'SERVICE_KEY_INVALID',
  'SERVICE_SCOPE_MISSING',
];

async function ask(url: string, { method, path, route }: RouteLine, { headers }: Credential): Promise<string> {
  const id = path.includes('file') ? newFileId() : newId();
  const hasBody = route.body !== undefined || route.takesStream === true;
  const response = await fetch(`${url}${path.replaceAll(/:\w+/g, id)}${probe}`, {
    method,
    headers: { ...headers, ...(hasBody && { 'content-type': 'application/json' }) },
    ...(hasBody && { body: '{}' }),
  });
  const { codeError } = readEnvelope(await response.text());
  if (codeError === 'REQUEST_INVALID') return 'let in';
  assert.ok(codeError !== null && refusals.includes(codeError), `${method} ${path}: ${codeError}`);
  return codeError;
}

for (const kind of tierStoreKinds)
  describe(`every route with every kind of credential on ${kind}`, () => {
    const stage = setStage(kind, () => ({ ...appSettings(), CORS_ORIGINS: 'https://app.example' }));
    const lines = allLines();
    let credentials: Credential[];
    before(async () => {
      credentials = await createCredentials(stage);
      const revoked = credentials.find(({ name }) => name.endsWith('was revoked'));
      await waitUntil('the revoked key is refused', async () => {
        const response = await fetch(`${stage.url}/api/service/events`, { headers: { ...revoked?.headers } });
        return (await response.text()).includes('SERVICE_KEY_INVALID') || undefined;
      });
    });

    it('the list of this test has every route that the service documents', async () => {
      const paths = await fetchTableOperations<unknown>(stage.url);
      const listed = new Set(lines.map(({ method, path }) => `${method} ${path.replaceAll(/:(\w+)/g, '{$1}')}`));
      const documented = Object.entries(paths).flatMap(([path, methods]) =>
        Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`),
      );
      assert.deepEqual(
        documented.filter((call) => !listed.has(call)),
        [],
      );
    });

    for (const line of lines) {
      const need = needOf(line);
      it(`${line.method} ${line.path} is open to exactly those who have ${need}`, async () => {
        // Attempts to sign in as staff are counted, so only some are made there.
        const tried = credentials.filter((one, at) => need !== 'no foreign page' || at < 8 || one.isForeign === true);
        const answers = await Promise.all(tried.map((credential) => ask(stage.url, line, credential)));
        for (const [at, credential] of tried.entries())
          assert.equal(answers[at] === 'let in', isOpenTo(need, credential), `with ${credential.name}: ${answers[at]}`);
      });
    }

    it('a key with another scope is told so, and every other refusal of the back end is the same', async () => {
      for (const line of lines.filter(({ tag }) => tag === 'back-end')) {
        const refused = credentials.filter((one) => !isOpenTo(needOf(line), one));
        const answers = await Promise.all(refused.map((credential) => ask(stage.url, line, credential)));
        for (const [at, { opens, name }] of refused.entries()) {
          const isLive = Array.isArray(opens) && opens.length > 0;
          assert.equal(answers[at], isLive ? 'SERVICE_SCOPE_MISSING' : 'SERVICE_KEY_INVALID', name);
        }
      }
    });
  });
