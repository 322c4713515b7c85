// Serves the page from memory, with a strict content security policy. Any web server for static files can do this.
import { readdirSync, readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { extname, join } from 'node:path';

const { PORT = '3000', GATEHOUSE_URL = '' } = process.env;
const site = join(import.meta.dirname, 'site');
const types: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
};
const files = new Map(readdirSync(site).map((name) => [`/${name}`, readFileSync(join(site, name), 'utf8')]));
files.set('/', files.get('/index.html')?.replaceAll('{{gatehouse}}', GATEHOUSE_URL) ?? '');

/** What the element and the client need of a strict page: the script, the calls, and the pictures of users. */
const policy = [
  "default-src 'none'",
  `script-src 'self' ${GATEHOUSE_URL}`,
  `connect-src ${GATEHOUSE_URL}`,
  `img-src 'self' ${GATEHOUSE_URL}`,
  "style-src 'self'",
  "base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
].join('; ');

const server = createServer((request, response) => {
  const [path = '/'] = (request.url ?? '/').split('?');
  const content = files.get(path);
  response.writeHead(content === undefined ? 404 : 200, {
    'content-type': types[extname(path) || '.html'] ?? 'text/plain',
    'content-security-policy': policy,
    'x-content-type-options': 'nosniff',
    'referrer-policy': 'no-referrer',
    'cache-control': 'no-cache',
  });
  response.end(content);
});
server.listen(Number(PORT), 'localhost');
for (const event of ['SIGTERM', 'SIGINT', 'disconnect'] as const) process.once(event, () => process.exit(0));
