// A cluster as deploy/patroni/ describes it, each machine a network namespace: etcd on three, Patroni and PostgreSQL on two of them.
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Undo } from '../../helpers/faults/undo.ts';
import { waitUntil } from '../../helpers/wait-until.ts';

const recipe = new URL('../../../deploy/patroni/', import.meta.url);
const programs = '/usr/lib/postgresql/15/bin';
const machines = ['one', 'two', 'three'] as const;
const databaseMachines = ['one', 'two'] as const;

export type Machine = (typeof databaseMachines)[number];

/** Why there can be no cluster here, if there is a reason. */
export function missingForPatroni(): string | undefined {
  if (process.getuid?.() !== 0) return 'it needs root';
  const missing = ['/usr/bin/patroni', '/usr/bin/etcd', programs, '/usr/bin/setpriv'].filter(
    (path) => !existsSync(path),
  );
  if (missing.length > 0)
    return `it needs the packages patroni, etcd-server, python3-etcd and postgresql-15 (${missing.join(', ')} is missing)`;
  try {
    const name = `ghtry${process.pid}`;
    ip('netns', 'add', name);
    ip('netns', 'del', name);
    return undefined;
  } catch {
    return 'it needs network namespaces (ip netns add)';
  }
}

function ip(...args: string[]): void {
  execFileSync('ip', args, { stdio: 'pipe' });
}

type Member = { readonly name: string; readonly role: string; readonly state: string; readonly timeline?: number };

export async function startPatroni(undo: Undo) {
  const id = process.pid % 60_000;
  const network = `10.${200 + (id % 40)}.${Math.floor(id / 40) % 250}.`;
  const [bridge, home] = [`ghb${id}`, mkdtempSync(join(tmpdir(), 'gatehouse-patroni-'))];
  chmodSync(home, 0o755);
  undo(() => rmSync(home, { recursive: true, force: true }));
  const spaceOf = (machine: string) => `gh${id}${machine}`;
  const addressOf = (machine: string) => `${network}${machines.indexOf(machine as Machine) + 1}`;
  ip('link', 'add', bridge, 'type', 'bridge');
  undo(() => ip('link', 'del', bridge));
  ip('addr', 'add', `${network}254/24`, 'dev', bridge);
  ip('link', 'set', bridge, 'up');
  for (const machine of machines) {
    const [space, link] = [spaceOf(machine), `ghv${id}${machine.slice(0, 2)}`];
    ip('netns', 'add', space);
    undo(() => {
      killAll(space);
      ip('netns', 'del', space);
    });
    ip('link', 'add', link, 'type', 'veth', 'peer', 'name', 'eth0', 'netns', space);
    ip('link', 'set', link, 'master', bridge, 'up');
    ip('-n', space, 'addr', 'add', `${addressOf(machine)}/24`, 'dev', 'eth0');
    ip('-n', space, 'link', 'set', 'eth0', 'up');
    ip('-n', space, 'link', 'set', 'lo', 'up');
  }
  const read = (file: string) => readFileSync(new URL(file, recipe), 'utf8').replaceAll('10.0.0.', network);
  /** The settings of the first machine, for this one. */
  const envOf = (
    file: string,
    machine: string,
    own: Readonly<Record<string, string>>,
  ): Readonly<Record<string, string>> => ({
    PATH: process.env.PATH ?? '',
    ...Object.fromEntries(
      read(file)
        .split('\n')
        .filter((line) => /^[A-Z]/.test(line))
        .map((line) => line.split(/=(.*)/s).slice(0, 2) as [string, string])
        .map(([name, value]) => [
          name,
          name.endsWith('INITIAL_CLUSTER')
            ? value
            : value.replace(`${network}1`, addressOf(machine)).replace(/^one$/, machine),
        ]),
    ),
    ...own,
  });
  const run = (machine: string, env: Readonly<Record<string, string>>, command: readonly string[]): ChildProcess =>
    spawn('ip', ['netns', 'exec', spaceOf(machine), ...command], { env, stdio: 'ignore' });

  for (const machine of machines)
    run(machine, envOf('etcd', machine, { ETCD_DATA_DIR: join(home, `etcd-${machine}`) }), ['etcd']);
  const start = (machine: Machine): void => {
    const data = join(home, machine);
    if (!existsSync(data)) {
      mkdirSync(data);
      execFileSync('chown', ['postgres:postgres', data]);
    }
    const config = read('config.yml')
      .replace('/var/lib/postgresql/15/patroni', join(data, 'data'))
      .replace('/var/run/postgresql', data);
    const path = join(home, `${machine}.yml`);
    writeFileSync(path, config);
    const as = ['setpriv', '--reuid', 'postgres', '--regid', 'postgres', '--clear-groups'];
    run(machine, envOf('patroni_env.conf', machine, { HOME: data }), [...as, 'patroni', path]);
  };
  for (const machine of databaseMachines) start(machine);

  const members = async (): Promise<readonly Member[]> => {
    for (const machine of databaseMachines) {
      const url = `http://${addressOf(machine)}:8008/cluster`;
      const reply = await fetch(url, { signal: AbortSignal.timeout(1000) }).catch(() => undefined);
      if (reply?.ok === true) return ((await reply.json()) as { members: Member[] }).members;
    }
    return [];
  };
  /** The leader, once it leads, and the other machine follows on its timeline as its synchronous standby. */
  const untilWhole = (leader?: Machine): Promise<Machine> =>
    waitUntil(
      'both machines are in the cluster',
      async () => {
        const all = await members();
        const [found] = all.filter(({ role, state }) => role === 'leader' && state === 'running');
        const follows = all.some(({ role, timeline }) => role === 'sync_standby' && timeline === found?.timeline);
        const isWanted = leader === undefined || found?.name === leader;
        return follows && isWanted ? databaseMachines.find((machine) => machine === found?.name) : undefined;
      },
      200,
    );
  const password = envOf('patroni_env.conf', 'one', {}).PATRONI_SUPERUSER_PASSWORD ?? '';
  const urlOf = (hosts: readonly Machine[]) =>
    `postgres://postgres:${password}@${hosts.map((machine) => `${addressOf(machine)}:5432`).join(',')}/postgres`;
  return {
    url: urlOf(databaseMachines),
    urlOf: (machine: Machine) => urlOf([machine]),
    start,
    untilWhole,
    other: (machine: Machine): Machine => (machine === 'one' ? 'two' : 'one'),
    /** Everything but etcd, as when a machine loses its power; or Patroni alone, so that nothing watches PostgreSQL any more. */
    kill: (machine: Machine, what: 'all' | 'patroni') =>
      killAll(
        spaceOf(machine),
        (command) => !command.includes('etcd') && (what === 'all' || command.includes('/usr/bin/patroni')),
      ),
    switchOver: async (from: Machine, to: Machine): Promise<void> => {
      const body = JSON.stringify({ leader: from, candidate: to });
      const reply = await fetch(`http://${addressOf(from)}:8008/switchover`, { method: 'POST', body });
      const answer = await reply.text();
      // What takes long goes on, and the caller waits for it.
      if (!reply.ok && !answer.includes('status unknown')) throw new Error(`no switchover: ${answer}`);
    },
    /** The machine no longer reaches the others. The service still reaches all of them. */
    split: (machine: Machine, isSplit: boolean) => {
      for (const other of machines.filter((one) => one !== machine))
        ip('-n', spaceOf(machine), 'route', isSplit ? 'add' : 'del', 'blackhole', `${addressOf(other)}/32`);
    },
  };
}

function killAll(space: string, isMeant: (command: string) => boolean = () => true): void {
  const pids = execFileSync('ip', ['netns', 'pids', space], { encoding: 'utf8' }).split('\n').filter(Boolean);
  for (const pid of pids) {
    try {
      const command = readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ');
      if (isMeant(command)) process.kill(Number(pid), 'SIGKILL');
    } catch {
      // It has ended.
    }
  }
}
