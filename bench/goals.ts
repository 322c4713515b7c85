// The goals of the bench: what a call may cost beside the floor, and how many calls per second beside a peer.

/** What a call of the service on SQLite may cost. */
export type CostGoal = {
  readonly work: string;
  readonly workload: string;
  /** The workload of the floor that does the same. */
  readonly floor?: string;
  readonly most: { readonly timesFloor: number } | { readonly microseconds: number };
  /** Microseconds before the work on processor time, on the machine of docs/evidence/performance.md. */
  readonly before: number;
};

export const costGoals: readonly CostGoal[] = [
  { work: '`GET /livez`', workload: 'live', floor: 'live', most: { timesFloor: 1.5 }, before: 124 },
  { work: '`GET /api/auth/me`', workload: 'sessionCheck', most: { microseconds: 90 }, before: 158 },
  {
    work: '4 KiB file with token',
    workload: 'download4KiB',
    floor: 'download4KiB',
    most: { timesFloor: 1.7 },
    before: 210,
  },
  { work: 'refresh', workload: 'refresh', floor: 'refresh', most: { timesFloor: 1.3 }, before: 422 },
  { work: 'sign in, new user', workload: 'signInNew', floor: 'signInNew', most: { timesFloor: 1.7 }, before: 818 },
  {
    work: 'send code, delivered to the inbox',
    workload: 'sendCode',
    floor: 'sendCode',
    most: { microseconds: 300 },
    before: 741,
  },
  { work: '1 MiB film up', workload: 'upload1MiB', floor: 'upload1MiB', most: { microseconds: 3000 }, before: 10_000 },
  {
    work: '1 MiB text up',
    workload: 'uploadText1MiB',
    floor: 'upload1MiB',
    most: { microseconds: 4000 },
    before: 17_000,
  },
];

/** At 32 connections, in milliseconds. */
export const waitingGoal = { p99: 25, workloads: ['sendCode', 'signInNew', 'refresh'] } as const;

/** Anonymous memory after all workloads. */
export const memoryGoal = { mebibytes: 180 } as const;

/** Our workload, theirs, and the least ratio of calls per second. */
type Goal = {
  readonly text: string;
  readonly ours: readonly [peer: string, workload: string];
  readonly theirs: readonly [peer: string, workload: string];
  readonly atLeast: number;
};

export const sqlite = 'Gatehouse on SQLite';
export const postgres = 'Gatehouse on PostgreSQL';
export const twoWorkers = 'Gatehouse, 2 workers';

export const goals: readonly Goal[] = [
  goal('sign in, new user: Better Auth on SQLite', [sqlite, 'signInNew'], ['Better Auth on SQLite', 'signInNew'], 20),
  goal(
    'sign in, known user: Better Auth on SQLite',
    [sqlite, 'signInKnown'],
    ['Better Auth on SQLite', 'signInKnown'],
    20,
  ),
  goal('send code: Better Auth on SQLite', [sqlite, 'sendCode'], ['Better Auth on SQLite', 'sendCode'], 15),
  goal(
    'sign in, new user: Better Auth on PostgreSQL',
    [postgres, 'signInNew'],
    ['Better Auth on PostgreSQL', 'signInNew'],
    20,
  ),
  goal('send code: Better Auth on PostgreSQL', [postgres, 'sendCode'], ['Better Auth on PostgreSQL', 'sendCode'], 15),
  goal('refresh: oidc-provider on SQLite', [sqlite, 'refresh'], ['oidc-provider on SQLite', 'refresh'], 5),
  goal('refresh: PocketBase, which writes nothing', [sqlite, 'refresh'], ['PocketBase', 'refresh'], 3),
  goal('refresh: Better Auth’s token call', [sqlite, 'refresh'], ['Better Auth on SQLite', 'token'], 15),
  goal('refresh: a route that only signs', [sqlite, 'refresh'], ['Fastify that signs', 'sign'], 0.4),
  goal('session check: Better Auth', [sqlite, 'sessionCheck'], ['Better Auth on SQLite', 'sessionCheck'], 15),
  goal('4 KiB with token: PocketBase', [sqlite, 'download4KiB'], ['PocketBase', 'download4KiB'], 10),
  goal('4 KiB with token: nginx with auth_request', [sqlite, 'download4KiB'], ['nginx', 'download4KiB'], 1),
  goal('100 MiB down: PocketBase', [sqlite, 'download100MiB'], ['PocketBase', 'download100MiB'], 0.6),
  goal('100 MiB down: createReadStream', [sqlite, 'download100MiB'], ['createReadStream', 'download100MiB'], 1.5),
  goal(
    '100 MiB down by accel: nginx alone',
    ['Gatehouse behind nginx', 'download100MiB'],
    ['nginx', 'open100MiB'],
    0.9,
  ),
  goal('1 MiB up: tus', [sqlite, 'upload1MiB'], ['tus', 'upload1MiB'], 1.3),
  goal('100 MiB up: tus', [sqlite, 'upload100MiB'], ['tus', 'upload100MiB'], 1.3),
  goal('1 MiB up, resumable: tus', [sqlite, 'uploadResumable1MiB'], ['tus', 'upload1MiB'], 1),
  goal('100 MiB up, resumable: tus', [sqlite, 'uploadResumable100MiB'], ['tus', 'upload100MiB'], 1),
  goal('100 MiB up in two requests: tus', [sqlite, 'uploadHalf50MiB'], ['tus', 'uploadHalf50MiB'], 0.7),
  goal('1 MiB up: PocketBase', [sqlite, 'upload1MiB'], ['PocketBase', 'upload1MiB'], 1.3),
  goal('refresh with two workers: one', [twoWorkers, 'refresh'], [postgres, 'refresh'], 1.5),
  goal('100 MiB up: PocketBase', [sqlite, 'upload100MiB'], ['PocketBase', 'upload100MiB'], 1.3),
];

function goal(text: string, ours: Goal['ours'], theirs: Goal['theirs'], atLeast: number): Goal {
  return { text, ours, theirs, atLeast };
}
