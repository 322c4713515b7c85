// The rule that says which of the named PostgreSQL servers a node uses: the one with the highest timeline of the one cluster it knows.

/** What a node, or a database, remembers of its cluster. */
export type ClusterMemory = {
  /** The system identifier. Undefined if no server has named one yet. */
  readonly system: string | undefined;
  /** The highest timeline that was seen. */
  readonly timeline: number;
  /** When an operator declared this cluster the right one, in ms since epoch. 0: nobody had to. A later declaration wins. */
  readonly adoptedAt: number;
};

export const nothingRemembered: ClusterMemory = { system: undefined, timeline: 0, adoptedAt: 0 };

/** What a server says about itself. */
export type ServerState =
  | { readonly kind: 'away' }
  | {
      readonly kind: 'standby' | 'writable';
      /** Undefined, with timeline 0, if the user of the service may not ask. */
      readonly system: string | undefined;
      readonly timeline: number;
      /** Two names of one server have the same start. */
      readonly startedAt: string;
      /** What its database remembers. */
      readonly row: ClusterMemory | undefined;
      /** The installation that its database belongs to. Undefined if it has never been started. */
      readonly installation?: string | undefined;
      /** Set if the database is not that of the installation of this node, or if nobody can say so at the moment. */
      readonly doubt?: Doubt | undefined;
    };

export type Doubt = 'other installation' | 'unproved';

type Answer = Exclude<ServerState, { kind: 'away' }>;

export type Refusal =
  | 'no primary'
  | 'lower timeline'
  | 'two primaries'
  | 'other cluster'
  | 'several clusters'
  | 'not adopted'
  | 'untold'
  | Doubt;

/** `isFinal`: every server has answered, and only an operator can change the outcome. */
export type Choice =
  | { readonly use: number; readonly memory: ClusterMemory }
  | { readonly refusal: Refusal; readonly isFinal: boolean; readonly memory: ClusterMemory };

/** Of two names of the same server, `preferred` wins. A server that is named alone is used for reading, too. */
export function chooseServer(
  servers: readonly ServerState[],
  remembered: ClusterMemory,
  preferred: number | undefined,
): Choice {
  const answers = servers.flatMap((state, at) => (state.kind === 'away' ? [] : [{ ...state, at }]));
  const known = laterAdoption(answers, remembered);
  const members = answers.filter((server) => standingOf(server, known) === 'member');
  const refuse = (refusal: Refusal, memory = known): Choice => ({
    refusal,
    isFinal: finalRefusals.has(refusal) && answers.length === servers.length,
    memory,
  });
  const systems = new Set(members.map(({ system }) => system));
  if (systems.size > 1) return refuse('several clusters');
  const timeline = Math.max(known.timeline, ...members.map((member) => member.timeline));
  const memory = { ...known, system: known.system ?? members[0]?.system, timeline };
  const usable = members.filter(({ kind }) => kind === 'writable' || servers.length === 1);
  const primaries = usable.filter((member) => member.timeline === timeline || member.kind === 'standby');
  const [first] = primaries;
  if (first !== undefined) {
    if (new Set(primaries.map(({ startedAt }) => startedAt)).size > 1) return refuse('two primaries', memory);
    return { use: primaries.find(({ at }) => at === preferred)?.at ?? first.at, memory };
  }
  if (usable.length > 0) return refuse('lower timeline', memory);
  const strangers = answers.filter(({ kind }) => kind === 'writable').map((server) => standingOf(server, known));
  return refuse(strangers.find((standing) => standing !== 'member') ?? 'no primary', memory);
}

const finalRefusals: ReadonlySet<Refusal> = new Set([
  'other cluster',
  'several clusters',
  'untold',
  'other installation',
]);

/**
 * The latest declaration of an operator that a server carries about itself replaces what was remembered before it. A database of
 * another installation may have one too. It is not about this one.
 */
function laterAdoption(answers: readonly Answer[], remembered: ClusterMemory): ClusterMemory {
  return answers.reduce<ClusterMemory>((latest, { system, row, doubt }) => {
    if (doubt !== undefined || row === undefined || row.adoptedAt <= latest.adoptedAt || !isOf(row, system))
      return latest;
    return { ...row, system: row.system ?? system };
  }, remembered);
}

type Standing = 'member' | Extract<Refusal, 'other cluster' | 'not adopted' | 'untold'> | Doubt;

/** Both the node and the database of the server must take it for a member. */
export function standingOf(
  { system, row, doubt }: Pick<Answer, 'system' | 'row' | 'doubt'>,
  known: ClusterMemory,
): Standing {
  if (doubt !== undefined) return doubt;
  const isMember = isOf(known, system) && (row === undefined || isOf(row, system));
  if (!isMember) return system === undefined ? 'untold' : 'other cluster';
  return (row?.adoptedAt ?? 0) < known.adoptedAt ? 'not adopted' : 'member';
}

function isOf(memory: ClusterMemory, system: string | undefined): boolean {
  return memory.system === undefined || memory.system === system;
}

/** Whether the first says more than the second. */
export function isLater(one: ClusterMemory, other: ClusterMemory): boolean {
  if (one.adoptedAt !== other.adoptedAt) return one.adoptedAt > other.adoptedAt;
  if (one.timeline !== other.timeline) return one.timeline > other.timeline;
  return one.system !== undefined && other.system === undefined;
}
