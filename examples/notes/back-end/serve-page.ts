// Serves the front end and the browser build of the client from memory: only files that were there at the start.
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import type { ServerResponse } from 'node:http';
import { extname, join } from 'node:path';

const types: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
};

/** Returns a function that answers with the file of a path, or returns false. */
export function createPages(frontEnd: string, client: string, gatehouseUrl: string) {
  const files = new Map([...read(frontEnd, '/'), ...read(client, '/client/')]);
  const page = files.get('/index.html')?.toString().replaceAll('{{gatehouse}}', gatehouseUrl) ?? '';
  files.set('/', Buffer.from(page));
  const [, importMap = ''] = /<script type="importmap">(.*?)<\/script>/s.exec(page) ?? [];
  const policy = [
    `default-src 'none'; script-src 'self' 'sha256-${createHash('sha256').update(importMap).digest('base64')}'`,
    `style-src 'self'; worker-src 'self'; base-uri 'none'; form-action 'none'`,
    `connect-src 'self' ${gatehouseUrl}; img-src 'self' ${gatehouseUrl}; frame-ancestors 'none'`,
  ].join('; ');
  return (path: string, response: ServerResponse): boolean => {
    const content = files.get(path);
    if (content === undefined) return false;
    response.writeHead(200, {
      'content-type': types[extname(path) || '.html'] ?? 'application/octet-stream',
      'content-security-policy': policy,
      'x-content-type-options': 'nosniff',
      'referrer-policy': 'no-referrer',
      'cache-control': 'no-cache',
    });
    response.end(content);
    return true;
  };
}

function read(folder: string, path: string): [string, Buffer][] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => extname(name) in types)
    .map((name) => [`${path}${name.replaceAll('\\', '/')}`, readFileSync(join(folder, name))]);
}
