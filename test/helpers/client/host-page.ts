// A page of another origin than the service, with the files of a document or of a build, and a strict content security policy.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { extname } from 'node:path';

const document = readFileSync(new URL('../../../docs/components.md', import.meta.url), 'utf8');

const types: Readonly<Record<string, string>> = { '.html': 'text/html', '.js': 'text/javascript', '.css': 'text/css' };

/** The samples of docs/components.md in a language, without the fences. */
function samplesIn(language: string): string[] {
  return document
    .split(`\n\`\`\`${language}\n`)
    .slice(1)
    .map((rest) => rest.split('\n```\n')[0] ?? '');
}

/** The sample that begins with this text. */
export function sampleOf(language: string, start: string): string {
  return samplesIn(language).find((sample) => sample.startsWith(start)) ?? assert.fail(`no sample ${start}`);
}

/** Serves the files that the test gives it later, each with the policy. */
export async function openHostPage() {
  let files: ReadonlyMap<string, string> = new Map();
  let policy = '';
  const server = createServer((request, response) => {
    const [path = '/'] = (request.url ?? '/').split('?');
    const name = path === '/' ? '/index.html' : path;
    const content = files.get(name);
    response.writeHead(content === undefined ? 404 : 200, {
      'content-type': `${types[extname(name)] ?? 'text/plain'}; charset=utf-8`,
      ...(policy !== '' && { 'content-security-policy': policy }),
    });
    response.end(content);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    origin: `http://localhost:${port}`,
    serve: (next: Readonly<Record<string, string>>, nextPolicy: string) => {
      files = new Map(Object.entries(next));
      policy = nextPolicy;
    },
    close: () => {
      server.close();
      server.closeAllConnections();
    },
  };
}

/** The policy of the document, and nothing else. */
export function policyFor(service: string, script: string): string {
  return [
    "default-src 'none'",
    `script-src ${script}`,
    "style-src 'none'",
    `connect-src ${service}`,
    "worker-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; ');
}
