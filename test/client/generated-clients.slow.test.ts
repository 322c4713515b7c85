// Clients that generators make of openapi.json upload a file: openapi-typescript with openapi-fetch, and @hey-api/openapi-ts. Python without a generator.
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { cpSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { promisify } from 'node:util';
import { enter } from '../helpers/people/users.ts';
import { type Gatehouse, isolatedEnv, startGatehouse } from '../helpers/services/gatehouse.ts';

const run = promisify(execFile);
const generators = new URL('../generated-clients/', import.meta.url).pathname;

const withFetch = `import createClient from 'openapi-fetch';
import type { paths } from './schema.d.ts';

const [url = '', token = ''] = process.argv.slice(2);
const client = createClient<paths>({ baseUrl: url, headers: { authorization: \`Bearer \${token}\` } });
const form = new FormData();
form.set('purpose', 'document');
form.set('file', new Blob(['hello']), 'hello.txt');
const { data, error } = await client.POST('/api/file/upload', {
  body: { file: 'in the form', purpose: 'document' },
  bodySerializer: () => form,
});
if (error !== undefined) throw new Error(error.codeError);
console.log(data.data.id);
const me = await client.GET('/api/auth/me');
const phone: string | null | undefined = me.data?.data.phone;
if (phone === undefined) throw new Error('no phone');
`;

const withHeyApi = `import { client } from './hey/client.gen.ts';
import { uploadFile } from './hey/sdk.gen.ts';

const [url = '', token = ''] = process.argv.slice(2);
client.setConfig({ baseUrl: url, auth: token });
const { data, error } = await uploadFile({
  body: { file: new File(['hello'], 'hello.txt', { type: 'text/plain' }), purpose: 'document' },
});
if (error !== undefined) throw new Error(JSON.stringify(error));
console.log(data.data.id);
`;

describe('generated clients', () => {
  const folder = mkdtempSync(join(tmpdir(), 'gatehouse-generated-'));
  const here = { cwd: folder };
  const node = (...args: readonly string[]) => run(process.execPath, [...args], here);
  let service: Gatehouse;
  let dispose: () => Promise<void>;
  let token: string;
  before(async () => {
    cpSync(generators, folder, { recursive: true, filter: (path) => !path.includes('node_modules') });
    const isolated = await isolatedEnv('sqlite');
    dispose = isolated.dispose;
    service = await startGatehouse(isolated.env);
    ({ JWT: token } = await enter(service.url));
    await run('npm', ['ci'], here);
    writeFileSync(join(folder, 'openapi.json'), await (await fetch(`${service.url}/openapi.json`)).text());
  });
  after(async () => {
    await service.stop();
    await dispose();
    rmSync(folder, { recursive: true, force: true });
  });

  const contentOf = async (id: string) =>
    (await fetch(`${service.url}/file/${id}`, { headers: { authorization: `Bearer ${token}` } })).text();

  it('the client of openapi-typescript and openapi-fetch has right types, and uploads a file', async () => {
    await node('node_modules/openapi-typescript/bin/cli.js', 'openapi.json', '-o', 'schema.d.ts');
    writeFileSync(join(folder, 'with-fetch.ts'), withFetch);
    await check('with-fetch.ts');
    const { stdout } = await node('with-fetch.ts', service.url, token);
    assert.equal(await contentOf(stdout.trim()), 'hello');
  });

  it('the client of @hey-api/openapi-ts uploads a file as a multipart form', async () => {
    await node('node_modules/@hey-api/openapi-ts/bin/run.js', '-i', 'openapi.json', '-o', 'hey');
    writeFileSync(join(folder, 'with-hey-api.ts'), withHeyApi);
    await check('with-hey-api.ts');
    const { stdout } = await node('--import', './resolve.js', 'with-hey-api.ts', service.url, token);
    assert.equal(await contentOf(stdout.trim()), 'hello');
  });

  it('the Python example of the API reference uploads a file with the standard library alone', async () => {
    const page = await (await fetch(`${service.url}/docs/api/file`)).text();
    const [, section = ''] = page.split('id="uploadFile"');
    const code = /data-panel="2"><code>(.*?)<\/code>/s.exec(section)?.[1] ?? assert.fail('no example');
    const text = code
      .replaceAll(/<[^>]*>/g, '')
      .replaceAll('&quot;', '"')
      .replaceAll('&amp;', '&');
    const script = text
      .replaceAll('$BASE', service.url)
      .replaceAll('me.jpg', 'hello.txt')
      .replace('purpose=avatar', 'purpose=document')
      .replace('image/jpeg', 'text/plain')
      .replace('print(json.load(response))', 'print(json.load(response)["data"]["id"])');
    writeFileSync(join(folder, 'hello.txt'), 'hello');
    const { stdout } = await run('python3', ['-c', `JWT = ${JSON.stringify(token)}\n${script}`], here);
    assert.equal(await contentOf(stdout.trim()), 'hello');
  });

  async function check(file: string): Promise<void> {
    const options = ['--strict', '--noEmit', '--skipLibCheck', '--target', 'es2022', '--module', 'esnext'];
    const resolving = [
      '--moduleResolution',
      'bundler',
      '--allowImportingTsExtensions',
      '--lib',
      'es2023,dom,dom.iterable',
    ];
    const own = 'declare const process: { argv: string[] };\n';
    writeFileSync(join(folder, 'process.d.ts'), own);
    await node('node_modules/typescript/bin/tsc', ...options, ...resolving, file, 'process.d.ts').catch(
      ({ stdout }: { stdout: string }) => assert.fail(stdout),
    );
  }
});
