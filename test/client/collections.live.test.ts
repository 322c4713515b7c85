// The collections for Postman and Bruno: every public call is in them, they have the right form, and their requests and scripts work.
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { compileFunction } from 'node:vm';
import { allLines } from '../../scripts/site/all-lines.ts';
import { newPhone } from '../helpers/requests/api.ts';
import { setStage } from '../helpers/services/stage.ts';

const folder = join(import.meta.dirname, '../../client/collections');

type Entry = { readonly key: string; readonly value: string; readonly disabled?: true };
type Body =
  | { readonly mode: 'raw'; readonly raw: string }
  | { readonly mode: 'formdata'; readonly formdata: readonly (Entry & { readonly type: 'text' | 'file' })[] }
  | { readonly mode: 'file' };
type Item = {
  readonly name: string;
  readonly request: {
    readonly method: string;
    readonly auth: { readonly type: string; readonly bearer?: readonly Entry[] };
    readonly header: readonly Entry[];
    readonly url: { readonly raw: string; readonly path: readonly string[]; readonly variable?: readonly Entry[] };
    readonly body?: Body;
  };
};
type Collection = {
  readonly info: { readonly name: string; readonly schema: string };
  readonly variable: readonly Entry[];
  readonly event: readonly [{ readonly listen: string; readonly script: { readonly exec: readonly string[] } }];
  readonly item: readonly { readonly name: string; readonly item: readonly Item[] }[];
};

const postman = JSON.parse(readFileSync(join(folder, 'gatehouse.postman_collection.json'), 'utf8')) as Collection;
const items = postman.item.flatMap(({ item }) => item);
const inbox = 'GET /api/inbox';
const wanted = allLines()
  .filter(({ tag, isHidden }) => tag !== 'admin' && isHidden !== true)
  .map(({ method, path }) => `${method} ${path}`);

const bruno = readdirSync(join(folder, 'bruno'), { recursive: true, encoding: 'utf8' })
  .filter((path) => path.endsWith('.bru'))
  .map((path) => [path, readFileSync(join(folder, 'bruno', path), 'utf8')] as const);

/** The blocks of a .bru file. A line outside of them, or one that is not indented inside, is an error. */
function blocksOf(path: string, text: string): Map<string, string[]> {
  const blocks = new Map<string, string[]>();
  let open: string[] | undefined;
  for (const line of text.split('\n')) {
    const [, name] = /^([a-z:-]+) \{$/.exec(line) ?? [];
    if (name !== undefined && open === undefined) {
      assert.ok(!blocks.has(name), `${path} has ${name} twice`);
      open = [];
      blocks.set(name, open);
    } else if (line === '}' && open !== undefined) open = undefined;
    else if (open === undefined) assert.equal(line, '', path);
    else {
      assert.match(line, /^( {2}.*|)$/, path);
      open.push(line.slice(2));
    }
  }
  assert.equal(open, undefined, path);
  return blocks;
}

describe('the collections', () => {
  it('every public call is in the Postman collection once, and nothing else but the inbox', () => {
    const found = items.map(({ request: { method, url } }) => `${method} /${url.path.join('/')}`);
    assert.deepEqual(found.toSorted(), [...wanted, inbox].toSorted());
    assert.match(postman.info.schema, /v2\.1\.0\/collection\.json$/);
    assert.equal(new Set(items.map(({ name }) => name)).size, items.length);
  });

  it('the Postman collection declares each variable that it uses, and each body is JSON', () => {
    const declared = new Set(postman.variable.map(({ key }) => key));
    const used = [...JSON.stringify(postman.item).matchAll(/\{\{(\w+)\}\}/g)].map(([, name]) => name);
    assert.deepEqual(new Set(used).difference(declared), new Set());
    for (const { name, request } of items) {
      const { body, url } = request;
      if (body?.mode === 'raw') assert.equal(typeof JSON.parse(body.raw), 'object', name);
      const named = url.path.filter((part) => part.startsWith(':')).map((part) => part.slice(1));
      assert.deepEqual(
        (url.variable ?? []).map(({ key }) => key),
        named,
        name,
      );
      assert.ok(url.raw.startsWith('{{baseUrl}}/'), name);
    }
  });

  it('every public call is in the Bruno collection once, with the same variables', () => {
    const found: string[] = [];
    for (const [path, text] of bruno) {
      const blocks = blocksOf(path, text);
      if (/(^|\/)(folder|collection|local)\.bru$/.test(path)) continue;
      assert.deepEqual(blocks.get('meta')?.slice(1, 2), ['type: http'], path);
      const method = ['get', 'post', 'put', 'patch', 'delete'].find((name) => blocks.has(name)) ?? assert.fail(path);
      const [url = ''] = blocks.get(method) ?? [];
      found.push(`${method.toUpperCase()} ${/^url: \{\{baseUrl\}\}([^?]+)/.exec(url)?.[1]}`);
      const json = blocks.get('body:json');
      if (json !== undefined) JSON.parse(json.join('\n'));
    }
    assert.deepEqual(found.toSorted(), [...wanted, inbox].toSorted());
    const [, local = ''] = bruno.find(([path]) => path.endsWith('local.bru')) ?? [];
    const names = blocksOf('local.bru', local)
      .get('vars')
      ?.map((line) => line.split(':', 1)[0]);
    assert.deepEqual(
      names,
      postman.variable.map(({ key }) => key),
    );
  });
});

describe('the requests of the collections', () => {
  const stage = setStage('sqlite');

  it('the requests of the Postman collection sign in, upload a file and read it, with what its script keeps', async () => {
    const values = new Map(postman.variable.map(({ key, value }) => [key, value]));
    values.set('baseUrl', stage.url);
    values.set('phone', newPhone());
    const filled = (text: string) => text.replaceAll(/\{\{(\w+)\}\}/g, (_, name: string) => values.get(name) ?? '');
    const keep = compileFunction(postman.event[0].script.exec.join('\n'), ['pm']) as (pm: object) => void;
    const send = async (path: string, method = 'GET') => {
      const found = items.find(({ request }) => request.method === method && `/${request.url.path.join('/')}` === path);
      const { request } = found ?? assert.fail(path);
      const headers = new Headers(request.header.map(({ key, value }) => [key, filled(value)]));
      if (request.auth.bearer?.[0] !== undefined)
        headers.set('authorization', `Bearer ${filled(request.auth.bearer[0].value)}`);
      const params = new Map((request.url.variable ?? []).map(({ key, value }) => [key, filled(value)]));
      const url = filled(request.url.raw).replaceAll(/:([a-z]\w*)/g, (text, name: string) => params.get(name) ?? text);
      const response = await fetch(url, { method, headers, ...bodyOf(request.body, filled) });
      const text = await response.text();
      keep({
        response: { json: () => JSON.parse(text) },
        collectionVariables: { set: (name: string, value: string) => values.set(name, value) },
      });
      return { status: response.status, text };
    };
    for (const [path, method, status] of [
      ['/api/auth/phone/send/otp', 'POST', 200],
      ['/api/inbox', 'GET', 200],
      ['/api/auth/phone/login', 'POST', 200],
      ['/api/auth/me', 'GET', 200],
      ['/api/auth/refresh-token', 'POST', 200],
      ['/api/file/upload', 'POST', 201],
      ['/api/file/:id', 'GET', 200],
    ] as const) {
      const answer = await send(path, method);
      assert.equal(answer.status, status, `${path}: ${answer.text}`);
    }
    assert.equal((await send('/file/:id')).text, 'a text');
  });
});

function bodyOf(body: Body | undefined, filled: (text: string) => string): { body?: string | FormData } {
  if (body?.mode === 'raw') return { body: filled(body.raw) };
  if (body?.mode !== 'formdata') return {};
  const form = new FormData();
  for (const { key, value, type } of body.formdata) {
    if (type === 'file') form.append(key, new Blob(['a text'], { type: 'text/plain' }), 'a.txt');
    else form.append(key, filled(value));
  }
  return { body: form };
}
