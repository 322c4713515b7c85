// A real HAProxy with the documented example configuration, for tests. Only ports, certificate and machine size are replaced.
import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from '../databases/postgres-server.ts';
import { waitUntil } from '../wait-until.ts';

export type Haproxy = {
  readonly url: string;
  /** The addresses of the nodes that get requests. */
  serving(): Promise<number[]>;
  stop(): Promise<void>;
  signal(signal: 'SIGSTOP' | 'SIGCONT' | 'SIGKILL'): void;
  /** Starts it again after its process has ended. */
  restart(): Promise<void>;
};

/** Debian installs it in a folder that only the PATH of root contains. */
const env = { ...process.env, PATH: `${process.env.PATH}:/usr/sbin` };
const bind = 'bind :443 ssl crt /etc/haproxy/id.example.com.pem alpn h2,http/1.1';

export function hasHaproxy(): boolean {
  return spawnSync('haproxy', ['-v'], { env }).status === 0;
}

/** The example with these nodes, and a page that lists which of them are up. */
function example(port: number, statsPort: number, nodePorts: readonly string[]): string {
  const text = readFileSync(new URL('../../../deploy/haproxy.cfg', import.meta.url), 'utf8');
  assert.ok(text.includes(bind) && text.includes('maxconn 20000'));
  const nodes = nodePorts.map((nodePort, index) => `  server node${index} 127.0.0.1:${nodePort}\n`);
  const placed = text.replace(bind, `bind 127.0.0.1:${port}`).replace('maxconn 20000', 'maxconn 200');
  return `${placed.replace(/^ {2}server .*\n/gm, '')}${nodes.join('')}
frontend numbers
  bind 127.0.0.1:${statsPort}
  stats enable
  stats uri /
`;
}

/** Resolves when one of the nodes is ready. */
export async function startHaproxy(nodePorts: readonly string[], given?: number): Promise<Haproxy> {
  const port = given ?? (await freePort());
  const folder = mkdtempSync(join(tmpdir(), 'gatehouse-haproxy-'));
  const path = join(folder, 'haproxy.cfg');
  const statsPort = await freePort();
  writeFileSync(path, example(port, statsPort, nodePorts));
  const url = `http://127.0.0.1:${port}`;
  const isReady = () =>
    fetch(`${url}/readyz`).then(
      ({ ok }) => ok,
      () => false,
    );
  const run = async () => {
    const child = spawn('haproxy', ['-db', '-f', path], { env, stdio: ['ignore', 'pipe', 'pipe'] });
    let said = '';
    for (const stream of [child.stdout, child.stderr]) {
      stream.on('data', (chunk: Buffer) => {
        said += chunk.toString();
      });
    }
    const ended = once(child, 'exit');
    await waitUntil('HAProxy starts', () => {
      if (child.exitCode !== null) assert.fail(`HAProxy does not start: ${said}`);
      return isReady();
    });
    return { child, ended };
  };
  let running = await run();
  return {
    url,
    serving: async () => {
      const lines = (await (await fetch(`http://127.0.0.1:${statsPort}/;csv`)).text()).split('\n');
      return lines.flatMap((line) => /^gatehouse,node(\d+),.*,UP\b/.exec(line)?.[1] ?? []).map(Number);
    },
    stop: async () => {
      running.child.kill('SIGTERM');
      await running.ended;
      rmSync(folder, { recursive: true });
    },
    signal: (signal) => void running.child.kill(signal),
    restart: async () => {
      await running.ended;
      running = await run();
    },
  };
}
