// A file that no request could carry goes through nginx with a limit of 100 MB for a request, and the service stays small.
import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { request } from 'node:https';
import { join } from 'node:path';
import { it } from 'node:test';
import { factor } from '../helpers/faults/rounds.ts';
import { undoAfter } from '../helpers/faults/undo.ts';
import { readPeakMebibytes } from '../helpers/imports/peak-memory.ts';
import { hasNginx, startNginx } from '../helpers/proxies/nginx.ts';
import { newPhone, signIn } from '../helpers/requests/api.ts';
import { isolatedEnv, spawnGatehouse, type TestEnv } from '../helpers/services/gatehouse.ts';
import { createEndlessText, type EndlessText } from './rig/endless-text.ts';

/** 240 MiB in every run, 5 GiB in the long form. */
const size = factor === 1 ? 240 * 2 ** 20 : 5 * 2 ** 30;
const growthMebibytes = 160;

type Answer = { readonly status: number; readonly headers: Readonly<Record<string, unknown>>; readonly text: string };

it('a file larger than the limit of a proxy arrives whole in several requests, and memory stays flat', {
  skip: !hasNginx(),
}, async (test) => {
  const undo = undoAfter(test);
  const { env: isolated, dispose } = await isolatedEnv('sqlite', { FILE_QUOTA: '8GiB' });
  undo(dispose);
  const purposes = join(isolated.DATA_DIR ?? '', 'purposes.json');
  const logs = {
    name: 'logs',
    types: ['text/plain'],
    maxBytes: 6 * 2 ** 30,
    readableBy: 'owner',
    served: 'attachment',
  };
  writeFileSync(purposes, JSON.stringify([logs]));
  const env: TestEnv = { ...isolated, PURPOSES_FILE: purposes, TRUSTED_PROXIES: '127.0.0.1' };
  const service = await spawnGatehouse(env);
  undo(() => service.stop('SIGKILL'));
  const nginx = await startNginx(env.PORT ?? '', join(env.DATA_DIR ?? '', 'files'), [
    ['client_max_body_size 0;', 'client_max_body_size 100m;'],
  ]);
  undo(nginx.stop);
  const { JWT } = await signIn(service.url, newPhone());
  const ask = createAsker(nginx.url, nginx.certificatePath, JWT);
  const content = createEndlessText(size);
  // Only the head: nginx answers and closes before it has read the body, and a client that is still writing may get an error instead.
  const tooLarge = { 'content-type': 'text/plain', 'content-length': '110000000' };
  assert.equal((await ask('POST', plainPath, tooLarge, content.read(0, 1))).status, 413);
  // The first request of a process loads code. What counts is what a large file adds.
  const before = residentOf(service.child.pid);
  const peak = readPeakMebibytes(service.child.pid ?? 0);
  const { file, requests } = await sendAll(ask, content);
  const grown = peak() - before;
  test.diagnostic(`${size / 2 ** 20} MiB in ${requests} requests; the service grew from ${before} MiB by ${grown} MiB`);
  assert.equal(file.sha256, content.sha256());
  assert.equal(file.size, size);
  assert.ok(grown < growthMebibytes, `${grown} MiB more`);
});

const plainPath = '/api/file/upload?purpose=logs&name=all.txt';

type Ask = (method: string, path: string, headers: Record<string, string>, body: Buffer) => Promise<Answer>;

async function sendAll(ask: Ask, content: EndlessText) {
  const created = await ask(
    'POST',
    plainPath,
    { 'content-type': 'text/plain', 'upload-complete': '?0', 'upload-length': String(content.size) },
    Buffer.alloc(0),
  );
  assert.equal(created.status, 201, created.text);
  const path = String(created.headers.location);
  const most = Number(/max-append-size=(\d+)/.exec(String(created.headers['upload-limit']))?.[1]);
  assert.ok(most > 0 && most < 100_000_000, `max-append-size is ${most}`);
  let [offset, requests] = [0, 1];
  for (;;) {
    const isLast = offset + most >= content.size;
    const headers = {
      'content-type': 'application/partial-upload',
      'upload-offset': String(offset),
      'upload-complete': isLast ? '?1' : '?0',
    };
    const answer = await ask('PATCH', path, headers, content.read(offset, most));
    requests += 1;
    assert.equal(answer.status, isLast ? 201 : 200, answer.text);
    if (isLast) return { file: (JSON.parse(answer.text) as { data: { sha256: string; size: number } }).data, requests };
    offset = Number(answer.headers['upload-offset']);
  }
}

function createAsker(url: string, certificatePath: string, token: string): Ask {
  const ca = readFileSync(certificatePath);
  return (method, path, headers, body) =>
    new Promise((resolve, reject) => {
      const all = { authorization: `Bearer ${token}`, 'content-length': String(body.length), ...headers };
      const sent = request(new URL(path, url), { method, ca, headers: all, timeout: 300_000 }, (response) => {
        response.toArray().then((pieces) => {
          const text = Buffer.concat(pieces as Buffer[]).toString();
          resolve({ status: response.statusCode ?? 0, headers: response.headers, text });
        }, reject);
      });
      sent.once('error', reject);
      sent.end(body);
    });
}

function residentOf(pid: number | undefined): number {
  return Math.round(Number(/VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1024);
}
