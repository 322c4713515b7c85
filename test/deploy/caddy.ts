// A real Caddy with the documented example configuration, for tests. Only paths, ports and the certificate are replaced.
import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { localCertificate } from '../helpers/blobs/s3-server-tls.ts';
import { freePort } from '../helpers/databases/postgres-server.ts';
import { accepts, type FrontProxy } from '../helpers/proxies/nginx.ts';
import { waitUntil } from '../helpers/wait-until.ts';

const example = readFileSync(new URL('../../deploy/Caddyfile', import.meta.url), 'utf8');

export function hasCaddy(): boolean {
  return spawnSync('caddy', ['version']).status === 0;
}

export async function startCaddy(servicePort: string, filesFolder: string): Promise<FrontProxy> {
  const folder = mkdtempSync(join(tmpdir(), 'gatehouse-caddy-'));
  const port = await freePort();
  const [certificatePath, keyPath] = [join(folder, 'cert.pem'), join(folder, 'cert.key')];
  writeFileSync(certificatePath, localCertificate.cert);
  writeFileSync(keyPath, localCertificate.key);
  let settings = `{\n\tadmin off\n\tauto_https disable_redirects\n}\n${example}`;
  for (const [from, to] of [
    ['id.example.com {', `https://localhost:${port} {\n\tbind 127.0.0.1\n\ttls ${certificatePath} ${keyPath}`],
    ['reverse_proxy 127.0.0.1:8080', `reverse_proxy 127.0.0.1:${servicePort}`],
    ['root * /var/lib/gatehouse/files', `root * ${filesFolder}`],
  ] as const) {
    assert.ok(settings.includes(from), from);
    settings = settings.replace(from, to);
  }
  const path = join(folder, 'Caddyfile');
  writeFileSync(path, settings);
  const env = { PATH: process.env.PATH ?? '', HOME: folder, XDG_DATA_HOME: folder, XDG_CONFIG_HOME: folder };
  const child = spawn('caddy', ['run', '--config', path, '--adapter', 'caddyfile'], { env, stdio: 'pipe' });
  let said = '';
  child.stderr.on('data', (chunk: Buffer) => {
    said += chunk.toString();
  });
  const ended = once(child, 'exit');
  await waitUntil('Caddy starts', () => {
    if (child.exitCode !== null) assert.fail(`Caddy does not start: ${said}`);
    return accepts(port);
  });
  return {
    url: `https://localhost:${port}`,
    certificatePath,
    stop: async () => {
      child.kill('SIGTERM');
      await ended;
      rmSync(folder, { recursive: true });
    },
  };
}
