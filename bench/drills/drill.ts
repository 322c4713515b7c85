// What a drill is: a part, a fault, how it begins and ends, and what may not be expected of it.
import type { Stage } from './stage.ts';

export const parts = ['nothing', 'postgres', 'standby', 'node', 'haproxy', 'sms', 'smtp', 's3', 'clock'] as const;
export type Part = (typeof parts)[number];

/** The promises that a drill must keep. */
const goals = ['writes', 'sign-outs', 'codes', 'recovery', 'alerts'] as const;
export type Goal = (typeof goals)[number];

export type Drill = {
  readonly part: Part;
  readonly fault: string;
  /** What is done, in one sentence for the document. */
  readonly how: string;
  /** Begins the fault. The fault has ended when the returned function has. */
  begin(stage: Stage): Promise<() => Promise<void>>;
  /** After the people have been served again: what operators do before the next fault. */
  mend?(stage: Stage): Promise<void>;
  /** The shortest time in which the fault shows what it is for. */
  readonly seconds?: number;
  /** A small disk for the data of the primary, or a service that remembers no earlier fault of the part. */
  readonly needs?: 'small disk' | 'no memory';
  /** Critical alerts that must fire while it lasts. */
  readonly alerts?: readonly string[];
  /** A goal that this fault cannot keep, with the reason that the document gives. */
  readonly excuses?: Partial<Record<Goal, string>>;
};

export function nameOf({ part, fault }: Pick<Drill, 'part' | 'fault'>): string {
  return `${part}/${fault}`;
}
