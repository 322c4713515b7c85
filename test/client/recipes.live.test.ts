// The recipes of the docs, as they stand there: each is started with the Node of the system, and serves a real user.
import assert from 'node:assert/strict';
import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { promisify } from 'node:util';
import { build } from 'esbuild';
import { issuerOf, openStage, type Stage } from '../helpers/client/stage.ts';
import { createServiceKey } from '../helpers/people/service-keys.ts';
import { enter } from '../helpers/people/users.ts';
import { newSigningKey, signWebhook } from '../helpers/people/webhook-receiver.ts';
import { waitUntil } from '../helpers/wait-until.ts';

const root = new URL('../../', import.meta.url).pathname;
const secret = newSigningKey();

/** The system chooses the port. The recipes do not tell it. */
const tellPort = `
import { Server } from 'node:net';
const { listen } = Server.prototype;
Server.prototype.listen = function (...given) {
  this.once('listening', () => console.log('port ' + this.address().port));
  return listen.apply(this, given);
};
`;

/** Serves what has the form of a fetch handler over HTTP. */
const server = `
const { createServer } = await import('node:http');
const serve = (handle) => createServer(async (incoming, outgoing) => {
  const chunks = [];
  for await (const chunk of incoming) chunks.push(chunk);
  const body = chunks.length === 0 ? undefined : Buffer.concat(chunks);
  const { method, headers, url } = incoming;
  const response = await handle(new Request('http://localhost' + url, { method, headers, body }));
  outgoing.writeHead(response.status, Object.fromEntries(response.headers)).end(Buffer.from(await response.arrayBuffer()));
}).listen(process.env.PORT);
`;
const honoServer = `${server}serve((request) => app.fetch(request));`;
const nextServer = `${server}serve((request) => GET(request));`;

describe('the recipes for the back end of an app', () => {
  let stage: Stage;
  let folder: string;
  let env: NodeJS.ProcessEnv;
  let user: { JWT: string; phone: string };
  let program: string;
  before(async () => {
    program = await oldestNode();
    stage = await openStage();
    folder = mkdtempSync(join(tmpdir(), 'gatehouse-recipes-'));
    await installInto(folder);
    user = await enter(stage.url);
    // The service names itself by its public URL in the tokens.
    env = { GATEHOUSE_URL: await issuerOf(stage.url), GATEHOUSE_KEY: await createServiceKey(stage.service) };
    Object.assign(env, { WEBHOOK_SECRET: secret, PATH: process.env.PATH, PORT: '0' });
  });
  after(async () => {
    await stage.end();
    rmSync(folder, { recursive: true, force: true });
  });

  for (const [name, end] of [
    ['Express', ''],
    ['Hono', honoServer],
    ['Fastify', ''],
    ['Next.js', nextServer],
  ] as const)
    it(`the recipe for ${name} serves the user of a token, refuses others, and verifies webhooks`, async () => {
      const file = join(folder, `${name}.mjs`);
      writeFileSync(file, `${recipeOf(name)}\n${end}`);
      const stdio = ['ignore', 'pipe', 'pipe'] as const;
      const child = spawn(program, ['--import', join(folder, 'tell-port.mjs'), file], { env, stdio: [...stdio] });
      try {
        const text = outputOf(child);
        const port = await waitUntil(`${name} listens`, () => {
          assert.equal(child.exitCode, null, text());
          return /^port (\d+)$/m.exec(text())?.[1];
        });
        const url = `http://localhost:${port}`;
        await expectProfile(url, user);
        if (name !== 'Next.js') await expectWebhook(url, text);
      } finally {
        child.kill();
        if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
      }
    });
});

async function expectProfile(url: string, { JWT, phone }: { JWT: string; phone: string }): Promise<void> {
  const ask = async (headers: Record<string, string>) => {
    const response = await fetch(`${url}/api/profile`, { headers });
    return [response.status, await response.json()];
  };
  const profile = { phone, email: null, theme: 'light' };
  assert.deepEqual(await ask({ authorization: `Bearer ${JWT}` }), [200, profile]);
  assert.deepEqual(await ask({ cookie: `JWT=${JWT}` }), [200, profile]);
  assert.deepEqual(await ask({}), [401, { code: 'ACCESS_TOKEN_MISSING' }]);
  assert.deepEqual(await ask({ authorization: 'Bearer a.b.c' }), [401, { code: 'ACCESS_TOKEN_INVALID' }]);
}

async function expectWebhook(url: string, text: () => string): Promise<void> {
  const body = JSON.stringify({ id: 'e1', type: 'user.created', version: 1, timestamp: '', data: { userId: 'ü' } });
  const deliver = async (sent: string) => {
    const headers = { 'content-type': 'application/json', ...signWebhook(secret, 'e1', body) };
    return (await fetch(`${url}/hooks/gatehouse`, { method: 'POST', headers, body: sent })).status;
  };
  assert.equal(await deliver(body), 204);
  await waitUntil('the event', () => (text().includes('user.created') ? true : undefined));
  assert.equal(await deliver(body.replace('created', 'deleted')), 400);
}

/** The first block of code under the heading. */
function recipeOf(name: string): string {
  const [, section = ''] = readFileSync(join(root, 'examples/README.md'), 'utf8').split(`\n### ${name}\n`);
  return /^```js\n(.*?)^```/ms.exec(section)?.[1] ?? assert.fail(`there is no recipe for ${name}`);
}

/** The package and the frameworks, where a program in the folder finds them. */
async function installInto(folder: string): Promise<void> {
  const own = join(folder, 'node_modules/@gatehouse/client');
  mkdirSync(own, { recursive: true });
  const entry = join(root, 'client/src/service.ts');
  await build({
    entryPoints: [entry],
    outfile: join(own, 'dist/service.js'),
    bundle: true,
    format: 'esm',
    target: 'es2022',
    platform: 'neutral',
  });
  writeFileSync(join(own, 'package.json'), readFileSync(join(root, 'client/package.json')));
  writeFileSync(join(folder, 'tell-port.mjs'), tellPort);
  // Under their own names, npm would keep these in production: they are optional peers of a library there.
  for (const [name, installed] of Object.entries({
    express: 'recipe-express',
    hono: 'recipe-hono',
    fastify: 'recipe-fastify',
  }))
    symlinkSync(join(root, 'node_modules', installed), join(folder, 'node_modules', name));
}

/** The Node of the system, which is the oldest that the client supports, or that of the tests if there is no other. */
async function oldestNode(): Promise<string> {
  const folders = (process.env.PATH ?? '').split(delimiter).filter((path) => !path.includes('node_modules'));
  const found = folders.map((path) => join(path, 'node')).find((path) => existsSync(path)) ?? process.execPath;
  const { stdout } = await promisify(execFile)(found, ['--version']);
  return Number(/^v(\d+)/.exec(stdout)?.[1]) >= 20 ? found : process.execPath;
}

function outputOf(child: ChildProcess): () => string {
  let text = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream?.on('data', (chunk) => {
      text += String(chunk);
    });
  }
  return () => text;
}
