// Traces of the bundled program: an SDK in another folder, loaded by NODE_OPTIONS, gets the spans of the main thread and of the delivery thread.
import assert from 'node:assert/strict';
import { copyFileSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { it } from 'node:test';
import { undoAfter } from '../../helpers/faults/undo.ts';
import { enter } from '../../helpers/people/users.ts';
import { newPhone } from '../../helpers/requests/api.ts';
import { isolatedEnv, spawnGatehouse } from '../../helpers/services/gatehouse.ts';
import { waitUntil } from '../../helpers/wait-until.ts';

type Export = { resourceSpans: { scopeSpans: { scope: { version: string }; spans: { name: string }[] }[] }[] };

it('the bundled program traces the calls of its main thread and of its delivery thread', async (test) => {
  const undo = undoAfter(test);
  const folder = mkdtempSync(join(tmpdir(), 'gatehouse-otel-'));
  undo(() => rmSync(folder, { recursive: true }));
  const sdk = join(folder, 'register.js');
  copyFileSync(new URL('./otel-stand-in.js', import.meta.url), sdk);
  writeFileSync(join(folder, 'package.json'), '{"type": "module"}');
  const seen = new Set<string>();
  const collector = createServer(async (request, response) => {
    const { resourceSpans } = JSON.parse(await text(request)) as Export;
    for (const { scope, spans } of resourceSpans.flatMap(({ scopeSpans }) => scopeSpans))
      for (const { name } of spans) seen.add(`${scope.version === '0' ? 'main' : 'thread'} ${name}`);
    response.end('{}');
  });
  await new Promise<void>((resolve) => collector.listen(0, '127.0.0.1', resolve));
  undo(() => {
    collector.close();
    collector.closeAllConnections();
  });
  const { env, dispose } = await isolatedEnv('sqlite', {
    NODE_OPTIONS: `--import=${sdk}`,
    OTEL_SERVICE_NAME: 'gatehouse',
    OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${(collector.address() as AddressInfo).port}`,
  });
  undo(dispose);
  const service = await spawnGatehouse(env);
  undo(() => service.stop());
  const phone = newPhone();
  await enter(service.url, phone);
  const wanted = ['main store sendRequests.request', 'main store signIns.signInWithPhone', 'thread store outbox.claim'];
  await waitUntil(
    () => `spans: ${[...seen].join(', ')}`,
    () => wanted.every((name) => seen.has(name)),
  );
  assert.ok(![...seen].join().includes(phone.slice(1)), 'no span names a user');
});
