// Downloads that are read slowly: when there are too many, the client that has most loses its oldest.
import assert from 'node:assert/strict';
import { EventEmitter } from 'node:events';
import { it } from 'node:test';
import type { RouteLine } from '../../src/http/interface/route-line.ts';
import { registerRoutes } from '../../src/http/register-routes.ts';
import type { HttpReply } from '../../src/http/server/reply.ts';
import type { HttpRequest } from '../../src/http/server/request.ts';
import type { AddedRoute } from '../../src/http/server/server.ts';
import { serverTimes } from '../../src/http/server/server-times.ts';

it('a client with many slow downloads loses the oldest of them, and another client keeps its own', async () => {
  const added: AddedRoute[] = [];
  const server = { add: (route: AddedRoute) => void added.push(route), validators: { add: () => () => undefined } };
  const content = async () => undefined;
  const route = { handle: async () => ({ status: 200, headers: {}, content }) };
  const line = { method: 'GET', path: '/file/:id', guards: [], route } as unknown as RouteLine;
  registerRoutes(server, [line], {} as never, () => assert.fail(), serverTimes, 4);
  const cut: string[] = [];
  const download = async (name: string, destroyed = false) => {
    const part = { destroyed, setTimeout: () => undefined, destroy: () => cut.push(name) };
    const raw = Object.assign(new EventEmitter(), part);
    const reply: object = { raw, code: () => reply, headers: () => reply, pump: () => undefined };
    const request = { method: 'GET', clientAddress: name.charAt(0), headers: {}, target: { query: '' }, query: {} };
    await added[0]?.handle(request as unknown as HttpRequest, reply as unknown as HttpReply);
    return raw;
  };
  for (const name of ['a', 'b', 'c', 'd', 'e']) await download(name, true);
  const first = await download('a1');
  for (const name of ['a2', 'a3', 'b1', 'b2']) await download(name);
  assert.deepEqual(cut, ['a1']);
  first.emit('close');
  const last = await download('a4');
  assert.deepEqual(cut, ['a1', 'a2'], 'what was cut counts once');
  last.emit('close');
  await download('a5');
  assert.deepEqual(cut, ['a1', 'a2'], 'what has ended makes room');
});
