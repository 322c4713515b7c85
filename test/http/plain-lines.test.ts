// The endpoints beside the route table: the documents list exactly those that the service registers.
import assert from 'node:assert/strict';
import { it } from 'node:test';
import fastify from 'fastify';
import type { OAuthParts } from '../../src/http/oauth/oauth-parts.ts';
import { registerOAuthRoutes } from '../../src/http/oauth/oauth-routes.ts';
import { plainLines } from '../../src/http/plain-lines.ts';
import { registerServiceRoutes, type ServiceParts } from '../../src/http/routes/service-routes.ts';

it('the documents list every endpoint of OpenID Connect, every probe and every public document, and no other', async () => {
  const server = fastify({ exposeHeadRoutes: false });
  const registered: string[] = [];
  server.addHook('onRoute', ({ method, url }) => {
    for (const each of [method].flat()) registered.push(`${each} ${url}`);
  });
  registerOAuthRoutes(server, { publicUrl: 'https://id.example.org' } as OAuthParts);
  registerServiceRoutes(server, { publicUrl: 'https://id.example.org', table: [] } as unknown as ServiceParts);
  await server.close();
  const listed = plainLines.map(({ method, path }) => `${method} ${path}`);
  // Registered with the uploads: test/http/routes/files/create-upload.live.test.ts calls it.
  const others = ['OPTIONS /api/file/upload'];
  assert.deepEqual(registered.toSorted(), listed.filter((line) => !others.includes(line)).toSorted());
});
