// A real clamd of the Debian package, with a signature database of its own that knows only the EICAR test file.
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';
import { askClamd } from '../../../src/adapters/scan/clamd-connection.ts';
import { testFile } from '../../../src/adapters/scan/test-file.ts';
import { freePort } from '../../helpers/databases/postgres-server.ts';
import { waitUntil } from '../../helpers/wait-until.ts';

/** Debian installs it in a folder that only the PATH of root contains. */
const env = { ...process.env, PATH: `${process.env.PATH}:/usr/sbin` };

export const hasClamd = spawnSync('clamd', ['--version'], { env }).status === 0;

export type Clamd = {
  readonly url: string;
  readonly socketUrl: string;
  start(): Promise<void>;
  kill(): Promise<void>;
  /** Stops it and removes its files. */
  end(): Promise<void>;
};

/** Listens on TCP and on a Unix socket. `lines` are further lines of clamd.conf. */
export async function startClamd(lines: readonly string[] = []): Promise<Clamd> {
  const folder = mkdtempSync(join(tmpdir(), 'gatehouse-clamd-'));
  for (const name of ['signatures', 'temporary']) mkdirSync(join(folder, name));
  writeFileSync(join(folder, 'signatures', 'test.ndb'), `Test.File:0:*:${testFile().toString('hex')}\n`);
  const port = await freePort();
  const text = [
    'Foreground yes',
    'TCPAddr 127.0.0.1',
    `TCPSocket ${port}`,
    `LocalSocket ${join(folder, 'clamd.ctl')}`,
    `User ${userInfo().username}`,
    `DatabaseDirectory ${join(folder, 'signatures')}`,
    `TemporaryDirectory ${join(folder, 'temporary')}`,
    'AlertExceedsMax yes',
    ...lines,
  ];
  writeFileSync(join(folder, 'clamd.conf'), `${text.join('\n')}\n`);
  let running: { kill(): Promise<void> } | undefined;
  const isUp = () => {
    const asking = { connectMilliseconds: 1000, signal: new AbortController().signal };
    const pong = askClamd({ host: '127.0.0.1', port }, [Buffer.from('zPING\0')], asking);
    return pong.then(
      () => true,
      () => false,
    );
  };
  const clamd: Clamd = {
    url: `clamd://127.0.0.1:${port}`,
    socketUrl: `clamd://${join(folder, 'clamd.ctl')}`,
    start: async () => {
      const child = spawn('clamd', ['-c', join(folder, 'clamd.conf')], { env, stdio: 'ignore' });
      const ended = once(child, 'exit');
      running = {
        kill: async () => {
          child.kill('SIGKILL');
          await ended;
        },
      };
      await waitUntil('clamd answers', isUp);
    },
    kill: async () => {
      await running?.kill();
      running = undefined;
      rmSync(join(folder, 'clamd.ctl'), { force: true });
    },
    end: async () => {
      await clamd.kill();
      rmSync(folder, { recursive: true, force: true });
    },
  };
  await clamd.start();
  return clamd;
}
