// The error of a node that uses none of the PostgreSQL servers: its code names the cause, which kernel/net/database-problem.ts explains.
import type { Choice, Refusal } from './choose-server.ts';

type Refused = Omit<Extract<Choice, { refusal: Refusal }>, 'memory'>;

const codes: Readonly<Record<Exclude<Refusal, 'no primary'>, string>> = {
  'lower timeline': 'CLUSTER_LOWER',
  'two primaries': 'CLUSTER_TWO',
  'other cluster': 'CLUSTER_OTHER',
  'several clusters': 'CLUSTER_SEVERAL',
  'not adopted': 'CLUSTER_NOT_ADOPTED',
  untold: 'CLUSTER_UNTOLD',
  'other installation': 'CLUSTER_STRANGE',
  unproved: 'CLUSTER_UNPROVED',
};

/** `failures`: for each server why it did not answer, or undefined if it did. */
export function refusalError({ refusal, isFinal }: Refused, failures: readonly unknown[]): Error {
  if (refusal !== 'no primary')
    return Object.assign(new Error(`PostgreSQL is not used: ${refusal}`), { code: codes[refusal], isFinal });
  const last = failures.at(-1);
  if (last instanceof Error && !failures.includes(undefined)) return last;
  return Object.assign(new Error('no server in DATABASE_URL accepts writes'), { code: '25006' });
}

/** Two connections to one name lead to different servers. */
export function unsteady(): Error {
  return Object.assign(new Error('a name in DATABASE_URL leads to several servers'), { code: 'CLUSTER_UNSTEADY' });
}

/** Neither waiting nor another server helps: a start ends with this error. */
export function isFinalRefusal(error: unknown): boolean {
  return (error as { isFinal?: boolean }).isFinal === true;
}
