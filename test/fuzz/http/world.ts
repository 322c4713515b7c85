// The targets of a round: two users, their sessions and files, and the operations of the OpenAPI document.

import assert from 'node:assert/strict';
import { askAdmin, enterStaff } from '../../helpers/people/staff.ts';
import { call, logIn, sendOtp, signIn } from '../../helpers/requests/api.ts';
import { storeFile } from '../../helpers/requests/upload.ts';
import { spawnMain, type TestEnv } from '../../helpers/services/gatehouse.ts';
import { fetchTableOperations } from '../../helpers/services/openapi-document.ts';
import { pngFile, textFile } from '../../helpers/uploads/sample-files.ts';
import type { Charge, Operation, Sample, World } from './draft.ts';

const phones = { resident: '+15550100001', guest: '+15550100002', lucky: '+15550100003' };
const otp = '000000';

export const testRecipients = Object.values(phones)
  .map((phone) => `${phone}=${otp}@2999-01-01`)
  .join(',');

export async function populate(url: string, samples: readonly Sample[], adminToken: string): Promise<World> {
  const resident = await enter(url, phones.resident);
  const guest = await enter(url, phones.guest);
  const store = (count: number) =>
    Promise.all(
      Array.from({ length: count }, (_, index) => attach(url, resident.accessToken, pngFile(20, 20 + index))),
    );
  return {
    operations: [...(await readOperations(url)).filter((operation) => !endsStaff(operation)), inbox],
    jwks: await (await fetch(`${url}/.well-known/jwks.json`)).text(),
    resident,
    guest,
    charges: await Promise.all([meetCharge(url, adminToken), meetCharge(url, adminToken)]),
    leavers: await Promise.all([meetCharge(url, adminToken), meetCharge(url, adminToken)]),
    adminToken,
    files: [await attach(url, resident.accessToken, textFile), ...(await store(3))],
    doomed: await store(6),
    samples,
    lucky: { phone: phones.lucky, otp },
  };
}

async function enter(url: string, phone: string) {
  await sendOtp(url, phone);
  const { JWT, RT } = (await logIn(url, phone, otp)).body.data;
  const { body } = await call(url, 'GET', '/api/auth/sessions', { token: JWT });
  return { accessToken: JWT as string, refreshToken: RT as string, sessionIds: idsOf(body.data.sessions) };
}

/** Signs in as staff through the command line and returns the value of the cookie. */
export async function enterAsStaff(url: string, env: TestEnv): Promise<string> {
  const { output, ended } = spawnMain(['admin', 'token', '--name', 'Fuzz', '--life', '8h'], env);
  await ended;
  const token = /#([\w-]{20,})/.exec(output().stdout)?.[1] ?? assert.fail(output().stderr);
  return (await enterStaff(url, token)).cookie.replace('ADMIN=', '');
}

let serial = 0;

/** A new user every round, because the last may be blocked, with a number that no request of a round uses. */
async function meetCharge(url: string, adminToken: string): Promise<Charge> {
  const { JWT } = await signIn(url, `+1202556${String(++serial).padStart(4, '0')}`);
  const { body } = await call(url, 'GET', '/api/auth/me', { token: JWT });
  const userId: string = body.data.id;
  const sessions = await call(url, 'GET', '/api/auth/sessions', { token: JWT });
  const files = [await attach(url, JWT, pngFile(20, 20)), await attach(url, JWT, textFile)];
  const { data } = await askAdmin(url, `GET /users/${userId}/messages`, { cookie: `ADMIN=${adminToken}` });
  return { userId, sessionIds: idsOf(sessions.body.data.sessions), files, messageIds: idsOf(data.messages) };
}

function idsOf(list: readonly { id: string }[]): string[] {
  return list.map(({ id }) => id);
}

/** It would sign out staff for the rest of the run. */
function endsStaff({ method, path }: Operation): boolean {
  return method === 'DELETE' && path === '/api/admin/session';
}

/** The id of a file that is stored as an attachment. */
async function attach(url: string, token: string, bytes: Buffer): Promise<string> {
  const type = bytes === textFile ? 'text/csv' : 'image/png';
  return (await storeFile(url, { token, purpose: 'attachment', type, bytes })).id;
}

/** Deletes the users of a round with everything that it stored. */
export async function clear(url: string): Promise<void> {
  for (const phone of [phones.resident, phones.guest]) {
    const { accessToken } = await enter(url, phone);
    assert.equal((await call(url, 'DELETE', '/api/auth/me', { token: accessToken })).status, 200);
  }
}

/** An honest user is served as before. */
export async function visitHonestly(url: string): Promise<void> {
  const { accessToken } = await enter(url, phones.resident);
  const bytes = pngFile(50, 50);
  const id = await attach(url, accessToken, bytes);
  const response = await fetch(`${url}/file/${id}`, { headers: { authorization: `Bearer ${accessToken}` } });
  assert.deepEqual(Buffer.from(await response.arrayBuffer()), bytes);
  await clear(url);
}

/** Not in the reference. Used without its `wait` parameter, which would only cost time. */
const inbox: Operation = {
  method: 'GET',
  path: '/api/inbox',
  security: [],
  hasCaptcha: false,
  takesFile: false,
  fields: undefined,
  query: ['to', 'after'],
};

type Described = {
  security?: object[];
  parameters?: { name: string; in: string }[];
  requestBody?: { content: Record<string, { schema: { properties: Operation['fields'] } }> };
};

async function readOperations(url: string): Promise<Operation[]> {
  const paths = await fetchTableOperations<Described>(url);
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, { security = [], parameters = [], requestBody }]) => {
      const takesFile = requestBody?.content['multipart/form-data'] !== undefined;
      return {
        method: method.toUpperCase(),
        path,
        security: security.flatMap((scheme) => Object.keys(scheme)),
        hasCaptcha: parameters.some(({ name }) => name === 'captcha-token'),
        takesFile,
        fields: takesFile ? undefined : requestBody?.content['application/json']?.schema.properties,
        query: parameters.filter((parameter) => parameter.in === 'query').map(({ name }) => name),
      };
    }),
  );
}
