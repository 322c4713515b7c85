// PocketBase: refresh (which writes nothing and leaves the old token valid), and files up and down with a token.
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { freePort } from '../../test/helpers/databases/postgres-server.ts';
import { type Caller, request } from '../load/drive.ts';
import { findPocketBase } from './install.ts';
import { expectPayload, type Payload, payload1MiB, payload4KiB, payload100MiB } from './payloads.ts';
import { expectAnswer, forEachConnection, type Peer } from './peer.ts';

const admin = { identity: 'admin@bench.example', password: 'only-for-the-bench' };
const user = { username: 'somebody', password: 'only-for-the-bench', passwordConfirm: 'only-for-the-bench' };
const boundary = 'bench-boundary';

type Site = { readonly url: string; readonly host: string; readonly token: string };

/** Stores its data in the folder. Undefined, with a printed line, if npm has no build for this machine. */
export async function startPocketBase(folder: string): Promise<Peer | undefined> {
  const program = findPocketBase();
  if (program === undefined) {
    console.log(
      `PocketBase has no package for ${process.platform} ${process.arch} here: left out (POCKETBASE may name a program).`,
    );
    return undefined;
  }
  const place = ['--dir', `${folder}/pocketbase`];
  execFileSync(program, ['migrate', 'up', ...place], { stdio: 'pipe' });
  execFileSync(program, ['admin', 'create', admin.identity, admin.password, ...place], { stdio: 'pipe' });
  const host = `127.0.0.1:${await freePort()}`;
  const url = `http://${host}`;
  const child = spawn(program, ['serve', '--http', host, ...place], { stdio: 'ignore' });
  process.once('exit', () => child.kill());
  const ended = once(child, 'exit');
  for (
    let round = 0;
    !(await fetch(`${url}/api/health`).then(
      (answer) => answer.ok,
      () => false,
    ));
    round++
  ) {
    if (child.exitCode !== null || round === 400) throw new Error('PocketBase does not start');
    await sleep(25);
  }
  const site = { url, host, token: await prepareSite(url) };
  return {
    name: 'PocketBase',
    url,
    pid: child.pid ?? 0,
    stop: async () => {
      child.kill('SIGTERM');
      await ended;
    },
    workloads: {
      refresh: async (connections) => forEachConnection(connections, () => refreshCaller(site)),
      upload1MiB: async (connections) => uploadCallers(connections, site, payload1MiB),
      upload100MiB: async (connections) => uploadCallers(connections, site, payload100MiB),
      download4KiB: (connections) => downloadCallers(connections, site, payload4KiB),
      download100MiB: (connections) => downloadCallers(connections, site, payload100MiB),
    },
  };
}

/** Creates a collection of protected files for signed-in users and one user, without a request log. Returns the user's token. */
async function prepareSite(url: string): Promise<string> {
  const { token } = await call<{ token: string }>(url, 'POST', '/api/admins/auth-with-password', admin);
  await call(url, 'PATCH', '/api/settings', { logs: { maxDays: 0 }, recordFileToken: { duration: 86_400 } }, token);
  const signedIn = '@request.auth.id != ""';
  const options = { maxSelect: 1, maxSize: 2 * payload100MiB.bytes.length, protected: true };
  const schema = [{ name: 'content', type: 'file', options }];
  const files = { name: 'files', type: 'base', createRule: signedIn, viewRule: signedIn, schema };
  await call(url, 'POST', '/api/collections', files, token);
  await call(url, 'POST', '/api/collections/users/records', user, token);
  const credentials = { identity: user.username, password: user.password };
  return (await call<{ token: string }>(url, 'POST', '/api/collections/users/auth-with-password', credentials)).token;
}

async function call<Result>(url: string, method: string, path: string, body: object, token = ''): Promise<Result> {
  const response = await fetch(url + path, {
    method,
    headers: { 'content-type': 'application/json', authorization: token },
    body: JSON.stringify(body),
  });
  if (!response.ok) throw new Error(`${path} was answered ${response.status}: ${await response.text()}`);
  return (await response.json()) as Result;
}

function refreshCaller({ host, token: first }: Site): Caller {
  let token = first;
  return {
    ask: () =>
      request('POST /api/collections/users/auth-refresh', host, { authorization: token, 'content-length': '0' }),
    check: (status, body) => {
      expectAnswer(status, body, 200, '"token":"ey');
      token = (JSON.parse(body.toString()) as { token: string }).token;
    },
  };
}

function uploadCallers(connections: number, site: Site, payload: Payload): Caller[] {
  const asked = uploadRequest(site, payload);
  return forEachConnection(connections, () => ({
    ask: () => asked,
    check: (status, body) => expectAnswer(status, body, 200, '"content":"'),
  }));
}

function uploadRequest({ host, token }: Site, payload: Payload): Buffer {
  const body = multipart(payload);
  const head = request('POST /api/collections/files/records', host, {
    authorization: token,
    'content-type': `multipart/form-data; boundary=${boundary}`,
    'content-length': String(body.length),
  });
  return Buffer.concat([Buffer.from(head), body]);
}

function multipart({ name, bytes }: Payload): Buffer {
  const head = `--${boundary}\r\nContent-Disposition: form-data; name="content"; filename="${name}"\r\nContent-Type: application/octet-stream\r\n\r\n`;
  return Buffer.concat([Buffer.from(head), bytes, Buffer.from(`\r\n--${boundary}--\r\n`)]);
}

/** With the short-lived token that PocketBase requires for protected files. */
async function downloadCallers(connections: number, site: Site, payload: Payload): Promise<Caller[]> {
  const response = await fetch(`${site.url}/api/collections/files/records`, {
    method: 'POST',
    headers: { authorization: site.token, 'content-type': `multipart/form-data; boundary=${boundary}` },
    body: new Uint8Array(multipart(payload)),
  });
  const { id, content } = (await response.json()) as { id: string; content: string };
  const { token } = await call<{ token: string }>(site.url, 'POST', '/api/files/token', {}, site.token);
  const asked = request(`GET /api/files/files/${id}/${content}?token=${token}`, site.host);
  return forEachConnection(connections, () => ({ ask: () => asked, check: expectPayload(payload) }));
}
