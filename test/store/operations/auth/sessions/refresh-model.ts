// A model of the rule of refresh tokens, and random histories for it: an honest client that loses answers, and perhaps a thief.
import fc from 'fast-check';

const second = 1000;
const hour = 3600 * second;
const day = 24 * hour;

/** Who presents a token. Two clients with one device token, or with one program in one network, are one device to the service. */
export type Client = { readonly deviceToken: string | undefined; readonly userAgent: string; readonly ip: string };

/**
 * answered: the client gets the answer. lost: the call is committed, and the answer does not arrive, or is a 503. refused: a 503 before
 * the call reached the database. twice: a retry overtakes the first call, so both nodes are asked at once. moved: the client is in
 * another network from now on. updated: its program has another name.
 */
type Step = {
  readonly who: 'owner' | 'thief';
  readonly pause: number;
  readonly fate: 'answered' | 'lost' | 'refused' | 'twice';
  readonly node: 0 | 1;
  readonly change: 'moved' | 'updated' | undefined;
};

/** What the thief took, after so many steps: the tokens only, or a full copy of the device. The network is another one or the same. */
type Theft = { readonly after: number; readonly what: 'tokens' | 'device'; readonly isNear: boolean };

export type History = {
  readonly steps: readonly Step[];
  /** Whether the owner shows a device token. One that does not stays in its network, with its program. */
  readonly hasDevice: boolean;
  readonly theft: Theft | undefined;
};

const pause = fc.oneof(
  { weight: 3, arbitrary: fc.constantFrom(0, second, 29 * second, 30 * second) },
  { weight: 5, arbitrary: fc.constantFrom(30 * second + 1, 45 * second, 900 * second) },
  { weight: 2, arbitrary: fc.integer({ min: 1, max: 12 * hour }) },
  { weight: 1, arbitrary: fc.constantFrom(day - 1, day, 2 * day) },
);
const node = fc.constantFrom(0 as const, 1 as const);

/** `losses`: of ten answers, so many are lost. */
const stepsOf = (who: Step['who'][], losses: number) =>
  fc.array(
    fc.record({
      who: fc.constantFrom(...who),
      pause,
      fate: fc.oneof(
        { weight: 9 - losses, arbitrary: fc.constant('answered' as const) },
        { weight: losses, arbitrary: fc.constantFrom('lost' as const, 'lost' as const, 'refused' as const) },
        { weight: 1, arbitrary: fc.constant('twice' as const) },
      ),
      node,
      change: fc.constantFrom(undefined, undefined, 'moved' as const, 'updated' as const),
    }),
    { minLength: 4, maxLength: 16, size: 'max' },
  );

export const honestHistories: fc.Arbitrary<History> = fc
  .tuple(fc.constantFrom(2, 5), fc.boolean())
  .chain(([losses, hasDevice]) =>
    fc.record({
      steps: stepsOf(['owner'], losses),
      hasDevice: fc.constant(hasDevice),
      theft: fc.constant(undefined),
    }),
  );

export const theftHistories: fc.Arbitrary<History> = fc.record({
  steps: stepsOf(['owner', 'thief'], 1),
  hasDevice: fc.constant(true),
  theft: fc.record({
    after: fc.nat(3),
    what: fc.constantFrom('tokens' as const, 'device' as const),
    isNear: fc.boolean(),
  }),
});

export type Verdict = 'rotated' | 'repeated' | 'repeated late' | 'reused' | 'ended';

/** One call that was committed: which token, and what came of it. `successor`: the token that the answer held. */
export type Event = {
  readonly who: Step['who'];
  readonly token: number;
  readonly at: number;
  readonly verdict: Verdict;
};

const graceMilliseconds = 30 * second;

/** Tokens are numbered from 0; the rotation of token n made token n + 1. */
export function createRefreshModel() {
  const rotations: { readonly at: number; readonly by: Client }[] = [];
  const late = new Map<number, number>();
  let isOver = false;

  const judge = (token: number, client: Client, at: number): Verdict => {
    if (isOver) return 'ended';
    if (token === rotations.length) {
      rotations.push({ at, by: client });
      return 'rotated';
    }
    const rotation = rotations[token];
    if (rotation === undefined || token < rotations.length - 1) return 'reused';
    const isSame = isSameDevice(client, rotation.by);
    if (at - rotation.at <= graceMilliseconds) {
      const isClearlyOther = client.userAgent !== rotation.by.userAgent && client.ip !== rotation.by.ip;
      return isSame || !isClearlyOther ? 'repeated' : 'reused';
    }
    const others = [...late].filter(([known, since]) => known !== token && since > at - day);
    if (!isSame || (others.length >= 3 && !late.has(token))) return 'reused';
    if (!late.has(token)) late.set(token, at);
    return 'repeated late';
  };

  return {
    present: (token: number, client: Client, at: number): Verdict => {
      const verdict = judge(token, client, at);
      if (verdict === 'reused') isOver = true;
      return verdict;
    },
    rotatedBy: (token: number): Client | undefined => rotations[token]?.by,
  };
}

export function isSameDevice(one: Client, other: Client): boolean {
  const hasSameToken = one.deviceToken !== undefined && one.deviceToken === other.deviceToken;
  return hasSameToken || (one.userAgent === other.userAgent && one.ip === other.ip);
}

/** The most different rotations that were repeated late within 24 hours, and the times of their first late repeats. */
export function mostLateInADay(events: readonly Event[]): number {
  const firsts = new Map<number, number>();
  for (const { token, at, verdict } of events)
    if (verdict === 'repeated late' && !firsts.has(token)) firsts.set(token, at);
  const times = [...firsts.values()];
  return Math.max(0, ...times.map((end) => times.filter((time) => time <= end && time > end - day).length));
}
