// Runs an example by its one command, with data and ports of its own.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from '../databases/postgres-server.ts';
import { waitUntil } from '../wait-until.ts';
import { run } from './command-line.ts';

const root = new URL('../../../', import.meta.url).pathname;

export type RunningExample = Awaited<ReturnType<typeof openExample>>;

/** `name`: its folder. */
export async function openExample(name: string) {
  const data = mkdtempSync(join(tmpdir(), `${name}-example-`));
  const ports = { app: await freePort(), gatehouse: await freePort() };
  const env = { EXAMPLE_PORT: String(ports.app), GATEHOUSE_PORT: String(ports.gatehouse), EXAMPLE_DATA: data };
  let npm: ChildProcess | undefined;
  let said = '';
  const begin = () => {
    said = '';
    const place = { PATH: process.env.PATH ?? '', HOME: process.env.HOME ?? '', ...env };
    const child = spawn('npm', ['run', 'example', '--', name], {
      cwd: root,
      env: place,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    for (const stream of [child.stdout, child.stderr])
      stream.on('data', (chunk: Buffer) => {
        said += chunk.toString();
      });
    npm = child;
    return child;
  };
  const stop = async (signal: NodeJS.Signals = 'SIGTERM') => {
    if (npm === undefined || npm.exitCode !== null || npm.signalCode !== null) return undefined;
    npm.kill(signal);
    const [code] = (await once(npm, 'exit')) as [number | null];
    return code;
  };
  return {
    data,
    ports,
    url: `http://localhost:${ports.app}`,
    gatehouseUrl: `http://localhost:${ports.gatehouse}`,
    said: () => said,
    /** Resolves when the command has printed the addresses. */
    start: async () => {
      const child = begin();
      await waitUntil(
        () => `the example starts: ${said}`,
        () => said.includes('Ctrl-C ends the example') || child.exitCode !== null,
      );
      if (child.exitCode !== null) throw new Error(said);
    },
    /** Runs the command to its end, for a start that must fail. */
    startInVain: async () => {
      const [code] = (await once(begin(), 'close')) as [number | null];
      return code;
    },
    stop,
    /** A command of Gatehouse on the data of the example, as an operator would run it. Without a receiver it queues no webhook. */
    gatehouse: (receiver: 'receiver' | 'no receiver', ...words: readonly string[]) => {
      const url = `http://localhost:${ports.gatehouse}`;
      const settings = { PORT: String(ports.gatehouse), PUBLIC_URL: url, DATA_DIR: join(data, 'gatehouse') };
      const webhooks = {
        WEBHOOK_URL: `http://localhost:${ports.app}/hooks/gatehouse`,
        WEBHOOK_SECRET_FILE: join(data, 'webhook-secret'),
      };
      return run({ ...settings, LOG_LEVEL: 'silent', ...(receiver === 'receiver' && webhooks) }, ...words);
    },
    processes: () => processesWith(data),
    close: async () => {
      await stop('SIGKILL');
      await waitUntil('the processes end', () => processesWith(data).length === 0);
      rmSync(data, { recursive: true, force: true });
    },
  };
}

/** The ids of the processes whose environment names this folder. Empty where the system has no /proc. */
function processesWith(folder: string): string[] {
  if (!existsSync('/proc/self/environ')) return [];
  return readdirSync('/proc').filter((id) => {
    try {
      return /^\d+$/.test(id) && readFileSync(`/proc/${id}/environ`, 'utf8').includes(folder);
    } catch {
      return false;
    }
  });
}
