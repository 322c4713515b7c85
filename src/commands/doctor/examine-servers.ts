// The check of the doctor that compares the timelines of the servers of DATABASE_URL.
import type { DatabaseCluster, OpenedStore } from '../../store/open-store.ts';
import { writeServers } from '../database/write-servers.ts';
import { bad, doubtful, type Finding, good } from './finding.ts';

export async function examineServers({ cluster }: OpenedStore): Promise<Finding[]> {
  if (cluster === undefined) return [];
  const view = await cluster.view();
  // Another finding says already that the database does not answer.
  return view.servers.every(({ state }) => state.kind === 'away') ? [] : [judgeServers(view)];
}

export function judgeServers({ choice, servers, damagedFile }: DatabaseCluster): Finding {
  const detail = writeServers(servers);
  if (damagedFile !== undefined)
    return bad(
      'servers',
      `${detail}: the file ${damagedFile} is damaged, so that this node does not start`,
      'make sure that the right primary runs, and run gatehouse database adopt, which writes the file anew',
    );
  if ('refusal' in choice) return bad('servers', `${detail}: ${choice.refusal}`, cures[choice.refusal]);
  const used = servers[choice.use]?.state;
  if (used === undefined || used.kind === 'away') return bad('servers', detail, cures['no primary']);
  if (used.system === undefined)
    return doubtful(
      'servers',
      `${detail}: an old primary could not be distinguished from a new one`,
      'grant the user execute on pg_control_system, pg_control_checkpoint and pg_control_recovery, or fence an old primary',
    );
  const strangers = servers.filter(({ state }) => state.kind !== 'away' && state.system !== used.system);
  if (strangers.length > 0)
    return doubtful('servers', `${detail}: not all are of one cluster`, 'name only a primary and its standbys');
  const old = servers.filter(
    ({ state }, at) => at !== choice.use && state.kind === 'writable' && state.startedAt !== used.startedAt,
  );
  if (old.length > 0)
    return doubtful(
      'servers',
      `${detail}: an old primary still accepts writes`,
      `stop it (${old.map(({ place }) => place).join(', ')}), and make it a standby: nodes do not use it, but other programs may`,
    );
  if (servers.some(({ state }) => state.kind === 'away'))
    return doubtful('servers', detail, 'start the server that does not answer, or check the network to it');
  return good('servers', detail);
}

type Refusal = Extract<DatabaseCluster['choice'], { refusal: unknown }>['refusal'];

const adopt = 'or, if this is the right database, run gatehouse database adopt';

const cures: Readonly<Record<Refusal, string>> = {
  'no primary': 'promote a standby, or start the primary',
  'lower timeline': `start the primary of the later timeline, ${adopt}`,
  'two primaries': 'stop the one that must not be the primary, and make it a standby of the other',
  'other cluster': `correct DATABASE_URL, ${adopt}`,
  'several clusters': 'name only a primary and its standbys in DATABASE_URL',
  'not adopted': `start the server that was adopted, ${adopt}`,
  'other installation': 'correct DATABASE_URL, or run gatehouse storage adopt if database and storage belong together',
  unproved: 'make the storage available, or correct DATABASE_URL',
  untold: `grant the user execute on pg_control_system, pg_control_checkpoint and pg_control_recovery, ${adopt}`,
};
