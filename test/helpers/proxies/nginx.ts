// A real nginx with the documented example configuration, for tests. Only paths, ports and names are replaced.
import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';
import { localCertificate } from '../blobs/s3-server-tls.ts';
import { freePort } from '../databases/postgres-server.ts';
import { waitUntil } from '../wait-until.ts';

/** A proxy in front of the service that serves files itself. */
export type FrontProxy = { readonly url: string; readonly certificatePath: string; stop(): Promise<void> };

const example = readFileSync(new URL('../../../deploy/nginx.conf', import.meta.url), 'utf8');
/** Debian installs it in a folder that only the PATH of root contains. */
const env = { ...process.env, PATH: `${process.env.PATH}:/usr/sbin` };

export function hasNginx(): boolean {
  return spawnSync('nginx', ['-v'], { env }).status === 0;
}

export async function startNginx(
  servicePort: string,
  filesFolder: string,
  more: readonly (readonly [from: string, to: string])[] = [],
): Promise<FrontProxy> {
  const folder = mkdtempSync(join(tmpdir(), 'gatehouse-nginx-'));
  const port = await freePort();
  const [certificatePath, keyPath] = [join(folder, 'cert.pem'), join(folder, 'cert.key')];
  writeFileSync(certificatePath, localCertificate.cert);
  writeFileSync(keyPath, localCertificate.key);
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
    (name) => `${name}_temp_path ${folder}/${name};`,
  );
  let settings = example;
  for (const [from, to] of [
    ['user gatehouse;', `user ${userInfo().username};`],
    ['http {', `http { access_log off; ${temporary.join(' ')}`],
    ['server 127.0.0.1:8080;', `server 127.0.0.1:${servicePort};`],
    ['listen 443 ssl;', `listen 127.0.0.1:${port} ssl;`],
    ['server_name id.example.com;', 'server_name localhost;'],
    ['/etc/ssl/id.example.com.pem', certificatePath],
    ['/etc/ssl/id.example.com.key', keyPath],
    ['alias /var/lib/gatehouse/files/;', `alias ${filesFolder}/;`],
    ...more,
  ] as const) {
    assert.ok(settings.includes(from), from);
    settings = settings.replace(from, to);
  }
  writeFileSync(join(folder, 'nginx.conf'), settings);
  const log = join(folder, 'error.log');
  const main = `daemon off; pid ${folder}/pid; error_log ${log};`;
  const child = spawn('nginx', ['-p', folder, '-c', join(folder, 'nginx.conf'), '-e', log, '-g', main], { env });
  const ended = once(child, 'exit');
  const url = `https://localhost:${port}`;
  await waitUntil('nginx starts', () => {
    if (child.exitCode !== null) assert.fail(`nginx does not start: ${readFileSync(log, 'utf8')}`);
    return accepts(port);
  });
  return {
    url,
    certificatePath,
    stop: async () => {
      child.kill('SIGTERM');
      await ended;
      rmSync(folder, { recursive: true });
    },
  };
}

export function accepts(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1', () => {
      socket.destroy();
      resolve(true);
    });
    socket.once('error', () => resolve(false));
  });
}
