// The endpoints beside the route table: the documents list exactly those that the service registers.
import assert from 'node:assert/strict';
import { it } from 'node:test';
import type { OAuthParts } from '../../src/http/oauth/oauth-parts.ts';
import { registerOAuthRoutes } from '../../src/http/oauth/oauth-routes.ts';
import { plainLines } from '../../src/http/plain-lines.ts';
import { type ProbeParts, registerProbeRoutes } from '../../src/http/routes/probe-routes.ts';
import type { Routes } from '../../src/http/server/server.ts';

it('the documents list every endpoint of OpenID Connect, every probe and every public document, and no other', () => {
  const registered: string[] = [];
  const server: Routes = {
    add: ({ method, path }) => registered.push(`${method} ${path}`),
    get: (path) => registered.push(`GET ${path}`),
  };
  registerOAuthRoutes(server, { publicUrl: 'https://id.example.org' } as OAuthParts);
  registerProbeRoutes(server, { publicUrl: 'https://id.example.org', table: [] } as unknown as ProbeParts);
  const listed = plainLines.map(({ method, path }) => `${method} ${path}`);
  // Registered with the uploads: test/http/routes/files/resumable/create-upload.live.test.ts calls it.
  const others = ['OPTIONS /api/file/upload'];
  assert.deepEqual(registered.toSorted(), listed.filter((line) => !others.includes(line)).toSorted());
});
