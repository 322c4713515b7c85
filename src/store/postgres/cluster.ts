// Asks the PostgreSQL servers that the database URL names which of them is the right one, again and again, and remembers what they said.
import type { Act } from '../../kernel/audit.ts';
import { placeOf, splitDatabaseUrl } from '../../kernel/net/database-url.ts';
import { adoptAndRecord } from './adopt-cluster.ts';
import { askServer, createProbe, type ServerIdentity, writeRow } from './ask-server.ts';
import { type Choice, type ClusterMemory, chooseServer, isLater, type ServerState } from './choose-server.ts';
import { refusalError, unsteady } from './cluster-refusal.ts';
import { clientOf } from './database-password.ts';
import { type MemoryPlace, openNodeMemory } from './node-memory.ts';
import { codeOf } from './postgres-errors.ts';

export type ClusterPlace = MemoryPlace & {
  readonly url: string;
  /** The file that contains the URL: new connections take the password from it. */
  readonly urlFile?: string | undefined;
};

type Verdict = {
  readonly choice: Choice;
  readonly states: readonly ServerState[];
  readonly asOf: number;
  /** Whether the chosen database is known to be that of this installation. */
  readonly isProved: boolean;
};

export type ClusterView = Pick<Verdict, 'choice'> & {
  /** The file in which this node remembers the cluster, if it cannot be read. */
  readonly damagedFile?: string | undefined;
  readonly servers: readonly { readonly place: string; readonly state: ServerState }[];
};

export type Cluster = ReturnType<typeof openCluster>;

/** Between two looks at the servers that are not in use. */
const followMilliseconds = 1000;
/** Between two looks at what the name of the server in use leads to. */
const ownMilliseconds = 30_000;

/** A URL alone: a node that remembers nothing on disk. */
export function openCluster(given: string | ClusterPlace) {
  const place: ClusterPlace = typeof given === 'string' ? { url: given } : given;
  const { report = () => undefined } = place;
  const urls = splitDatabaseUrl(place.url) ?? [place.url];
  const Client = clientOf(place.urlFile, report);
  const probes = urls.map((url) => createProbe(url, Client));
  const memory = openNodeMemory(place);
  const failures: unknown[] = urls.map(() => undefined);
  let verdict: Verdict | undefined;
  let latest: number | undefined;
  let running: Promise<Verdict> | undefined;
  /** Counts what may have changed the servers since they were asked. */
  let doubts = 0;
  let ownAt = 0;
  let isFollowing = false;
  let onVerdict: (chosen: ServerIdentity | undefined) => void = () => undefined;

  const ask = async (at: number, isNew: boolean): Promise<ServerState> => {
    try {
      const state = await probeAt(at).use(askServer, isNew);
      failures[at] = undefined;
      return state;
    } catch (error) {
      failures[at] = error;
      return { kind: 'away' };
    }
  };
  const probeAt = (at: number) => {
    const probe = probes[at];
    if (probe === undefined) throw new Error(`there is no server ${at}`);
    return probe;
  };

  const judge = (states: readonly ServerState[], asOf: number): Verdict => {
    const before = verdict;
    const choice = chooseServer(states, memory.latest(), latest);
    const isProved = memory.learn(choice.memory, 'use' in choice ? states[choice.use] : undefined);
    verdict = { choice, states, asOf, isProved };
    const chosen = identityOf(verdict);
    if ('use' in choice) {
      const old = before === undefined ? undefined : identityOf(before);
      if (old !== undefined && chosen !== undefined && old.timeline !== chosen.timeline)
        report(moved(urls, choice.use, old, chosen));
      latest = choice.use;
    }
    if ('use' in choice || choice.refusal !== 'no primary') onVerdict(chosen);
    return verdict;
  };

  /** Calls at the same time share one look at all servers. */
  const survey = (): Promise<Verdict> => {
    running ??= (async () => {
      const asOf = doubts;
      const states = await memory.doubtStrangers(await Promise.all(urls.map((_, at) => ask(at, true))));
      ownAt = performance.now();
      const found = judge(states, asOf);
      remember(found);
      if (!isFollowing) endProbes();
      return found;
    })().finally(() => {
      running = undefined;
    });
    return running;
  };

  const endProbes = () => {
    for (const probe of probes) probe.end();
  };

  /** In the background: a commit may wait for a standby. What fails is written after the next look. */
  const remember = ({ choice, states, isProved }: Verdict) => {
    if (!('use' in choice) || !isFollowing) return;
    const probe = probeAt(choice.use);
    const state = states[choice.use];
    const isWritable = state?.kind === 'writable' && choice.memory.system !== undefined;
    if (!isProved || place.isService !== true || !isWritable || (state.row && !isLater(choice.memory, state.row)))
      return probe.end();
    // The first start has not made the table yet.
    const reportOthers = (error: unknown) => void (codeOf(error) !== '42P01' && report(error as Error));
    void probe
      .use((client) => writeRow(client, choice.memory), false)
      .catch(reportOthers)
      .finally(probe.end);
  };

  const settle = async (): Promise<Verdict> => {
    const asOf = doubts;
    if (verdict !== undefined && 'use' in verdict.choice && verdict.asOf >= asOf) return verdict;
    const found = await survey();
    return found.asOf >= asOf ? found : survey();
  };

  /** Looks at the other servers, and now and then at what the name of the own one leads to. */
  const look = async () => {
    if (verdict === undefined || !('use' in verdict.choice) || verdict.asOf < doubts || running !== undefined) return;
    const { states, asOf, choice } = verdict;
    const isOwnDue = performance.now() - ownAt > ownMilliseconds;
    if (isOwnDue) ownAt = performance.now();
    if (urls.length === 1 && !isOwnDue) return;
    const askAgain = (isOwnAsked: boolean) =>
      Promise.all(
        states.map(async (state, at) => {
          if (at !== choice.use) return ask(at, false);
          const own = isOwnAsked ? await ask(at, true) : state;
          // Open connections may still work. One that breaks brings the question up again.
          return own.kind === 'away' ? state : own;
        }),
      ).then(memory.doubtStrangers);
    let next = await askAgain(isOwnDue);
    const own = next[choice.use];
    // Its earlier answer may be older than the known installation.
    if (!isOwnDue && own?.kind !== 'away' && own?.doubt !== undefined) next = await askAgain(true);
    if (running !== undefined) return;
    const found = judge(next, asOf);
    if (isOwnDue) remember(found);
  };

  let timer: NodeJS.Timeout | undefined;
  return {
    urls,
    Client,
    urlFile: place.urlFile,
    /** The server that was chosen last. */
    latest: () => latest,
    /** The server to use. All are asked first if something has happened since they were asked. */
    choose: async (): Promise<number> => {
      const { choice } = await settle();
      if ('use' in choice) return choice.use;
      throw refusalError(choice, failures);
    },
    /** Throws if a new connection does not lead to the chosen server. */
    admit: async (identity: ServerIdentity): Promise<void> => {
      let found = await settle();
      if (!isSame(identityOf(found), identity)) found = await survey();
      if (!('use' in found.choice)) throw refusalError(found.choice, failures);
      if (!isSame(identityOf(found), identity)) throw unsteady();
    },
    /** A connection broke, or none can be made: before the next one is used, all servers are asked. */
    doubt: () => {
      doubts += 1;
    },
    /** Calls back with each verdict: with the identity of the chosen server, or undefined if none may be used. */
    follow: (callback: typeof onVerdict) => {
      onVerdict = callback;
      isFollowing = true;
      const repeat = () => {
        if (!isFollowing) return;
        timer = setTimeout(() => void look().catch(report).finally(repeat), followMilliseconds).unref();
      };
      repeat();
    },
    view: async (): Promise<ClusterView> => {
      const { choice, states } = await survey();
      const damagedFile = memory.damagedFile();
      return { choice, damagedFile, servers: states.map((state, at) => ({ place: placeOf(urls[at] ?? ''), state })) };
    },
    adopt: async (name: string, by: Act): Promise<ClusterMemory> => {
      const url = urls.find((one) => placeOf(one) === name);
      if (url === undefined) throw new Error(`no server is called ${name}`);
      const adopted = await adoptAndRecord(url, memory.latest(), by);
      memory.repair(adopted);
      return adopted;
    },
    /** The database and the storage belong together now: the knowledge of the cluster may be kept. */
    prove: async (): Promise<void> => {
      await memory.askStorage();
      await survey();
    },
    /** The timeline in use. Undefined if no server is in use, or if it does not say. */
    timeline: (): number | undefined => (verdict && identityOf(verdict)?.timeline) || undefined,
    end: () => {
      isFollowing = false;
      clearTimeout(timer);
      endProbes();
    },
  };
}

function identityOf({ choice, states }: Verdict): ServerIdentity | undefined {
  const state = 'use' in choice ? states[choice.use] : undefined;
  return state === undefined || state.kind === 'away' ? undefined : state;
}

export function isSame(one: ServerIdentity | undefined, other: ServerIdentity): boolean {
  return (
    one?.system === other.system &&
    one?.timeline === other.timeline &&
    one.kind === other.kind &&
    one.startedAt === other.startedAt
  );
}

function moved(urls: readonly string[], use: number, old: ServerIdentity, now: ServerIdentity): Error {
  const place = placeOf(urls[use] ?? '');
  const text = `PostgreSQL has moved from timeline ${old.timeline} to timeline ${now.timeline}: the server at ${place} is used now`;
  return Object.assign(new Error(text), { code: 'CLUSTER_MOVED' });
}
