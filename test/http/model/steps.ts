// Random steps for the service and its model: every call of an identity, clocks that jump to the moments when something ends, restarts.
import fc from 'fast-check';

/** Which ask token and which device token a call sends, counted from the newest. Undefined: none. */
type By = { readonly ask: number | undefined; readonly device: number | undefined };

type PlainAct = 'me' | 'list sessions' | 'remove email' | 'delete account' | 'show change' | 'cancel change';

/** `session`, `link`, `notice`, `ticket`: counted from the newest. `phone`, `email`: the index of a number or an address. */
export type Step =
  | { readonly act: 'send code'; readonly phone: number }
  | ({ readonly act: 'sign in'; readonly phone: number; readonly isRight: boolean } & By)
  | { readonly act: 'send link'; readonly email: number }
  | ({ readonly act: 'sign in by link'; readonly link: number } & By)
  | { readonly act: 'refresh'; readonly session: number; readonly back: number }
  | { [Name in PlainAct]: { readonly act: Name; readonly session: number } }[PlainAct]
  | { readonly act: 'end session'; readonly session: number; readonly target: number }
  | { readonly act: 'sign out'; readonly session: number; readonly scope: 'local' | 'others' | 'global' }
  | { readonly act: 'send proof'; readonly session: number; readonly via: 'phone' | 'email' }
  | ({ readonly act: 'prove'; readonly session: number; readonly isRight: boolean; readonly back: number } & By)
  | { readonly act: 'send binding'; readonly session: number; readonly email: number }
  | ({ readonly act: 'bind'; readonly session: number; readonly email: number; readonly isRight: boolean } & By)
  | { readonly act: 'send change'; readonly session: number; readonly phone: number }
  | ({ readonly act: 'change phone'; readonly session: number; readonly phone: number; readonly isRight: boolean } & By)
  | { readonly act: 'not me'; readonly notice: number }
  | ({ readonly act: 'claim'; readonly ticket: number } & By)
  | { readonly act: 'wait'; readonly milliseconds: number }
  | { readonly act: 'restart' };

export const phoneCount = 5;
export const emailCount = 3;

const second = 1000;
const day = 86_400;

const phone = fc.nat(phoneCount - 1);
const email = fc.nat(emailCount - 1);
const session = fc.constantFrom(0, 0, 0, 1, 1, 2, 3, 4);
const ask = fc.constantFrom(undefined, undefined, 0, 0, 0, 1, 2);
const device = fc.constantFrom(undefined, undefined, undefined, 0, 0, 1, 2, 3);
const isRight = fc.constantFrom(true, true, true, false);
const back = fc.constantFrom(0, 0, 0, 0, 1, 1, 2);
const via = fc.constantFrom('phone' as const, 'email' as const);
const scope = fc.constantFrom('local' as const, 'local' as const, 'others' as const, 'global' as const);
const few = fc.nat(3);
const act = <Name extends Step['act']>(name: Name) => fc.constant(name);

/** Moments at which something ends, in seconds. The step itself and the next one take a millisecond each. */
const near = [1, 30, 60, 120, 300, 600, 900, 930, 3600];
const far = [day, 3 * day, 20 * day, 30 * day];
const onEdge = (edges: readonly number[]) =>
  fc.tuple(fc.constantFrom(...edges), fc.constantFrom(-3, -2, -1)).map(([edge, by]) => edge * second + by);
const waits = fc.oneof(
  { weight: 12, arbitrary: onEdge(near) },
  { weight: 8, arbitrary: fc.integer({ min: 1, max: 400 * second }) },
  { weight: 1, arbitrary: onEdge(far) },
  { weight: 1, arbitrary: fc.integer({ min: second, max: 40 * day * second }) },
);

/** How often each step is taken, by its name. */
const weighted: { readonly [Name in Step['act']]: [number, fc.Arbitrary<Extract<Step, { act: Name }>>] } = {
  'send code': [14, fc.record({ act: act('send code'), phone })],
  'sign in': [16, fc.record({ act: act('sign in'), phone, isRight, ask, device })],
  'send link': [10, fc.record({ act: act('send link'), email })],
  'sign in by link': [10, fc.record({ act: act('sign in by link'), link: few, ask, device })],
  refresh: [14, fc.record({ act: act('refresh'), session, back })],
  me: [6, plain('me')],
  'list sessions': [4, plain('list sessions')],
  'remove email': [3, plain('remove email')],
  'delete account': [1, plain('delete account')],
  'end session': [3, fc.record({ act: act('end session'), session, target: session })],
  'sign out': [2, fc.record({ act: act('sign out'), session, scope })],
  'send proof': [10, fc.record({ act: act('send proof'), session, via })],
  prove: [12, fc.record({ act: act('prove'), session, isRight, back, ask, device })],
  'send binding': [12, fc.record({ act: act('send binding'), session, email })],
  bind: [12, fc.record({ act: act('bind'), session, email, isRight, ask, device })],
  'show change': [3, plain('show change')],
  'cancel change': [2, plain('cancel change')],
  'send change': [8, fc.record({ act: act('send change'), session, phone })],
  'change phone': [10, fc.record({ act: act('change phone'), session, phone, isRight, ask, device })],
  'not me': [4, fc.record({ act: act('not me'), notice: few })],
  claim: [3, fc.record({ act: act('claim'), ticket: fc.nat(1), ask, device })],
  wait: [24, fc.record({ act: act('wait'), milliseconds: waits })],
  restart: [0.15, fc.record({ act: act('restart') })],
};

function plain<Name extends PlainAct>(name: Name) {
  return fc.record({ act: act(name), session });
}

const step: fc.Arbitrary<Step> = fc.oneof(
  ...Object.values(weighted).map(([weight, arbitrary]) => ({ weight: Math.round(weight * 20), arbitrary })),
);

const owner = { ask: 0, device: undefined, isRight: true } as const;
const stranger = { ask: undefined, device: undefined, isRight: false } as const;

/** Sequences that chance alone would rarely find: somebody gets in, and something is used just when it ends. */
const story: fc.Arbitrary<Step[]> = fc
  .record({ phone, other: phone, email, via, wait: onEdge(near), long: onEdge(far), device, plot: fc.nat(9999), few })
  .map(({ phone, other, email, via, wait, long, device, plot, few: session }) => {
    const pause: Step = { act: 'wait', milliseconds: wait };
    const longPause: Step = { act: 'wait', milliseconds: long };
    const enter: Step[] = [
      { act: 'send code', phone },
      { act: 'sign in', phone, ...owner, device },
    ];
    const enterOther: Step[] = [
      { act: 'send code', phone: other },
      { act: 'sign in', phone: other, ...owner, device },
    ];
    const bind: Step[] = [
      { act: 'send binding', session: 0, email },
      { act: 'bind', session: 0, email, ...owner },
    ];
    const bindFirst: Step = { act: 'send binding', session: 0, email };
    const byLink: Step[] = [
      { act: 'send link', email },
      { act: 'sign in by link', link: 0, ask: undefined, device },
    ];
    const prove: Step[] = [
      { act: 'send proof', session, via },
      { act: 'prove', session, back: 0, ...owner },
    ];
    const change: Step[] = [
      { act: 'send change', session: 0, phone: other },
      { act: 'change phone', session: 0, phone: other, ...owner },
    ];
    const notMe: Step = { act: 'not me', notice: session };
    const rotate: Step = { act: 'refresh', session, back: 0 };
    const plots: Step[][] = [
      [...enter, ...bind],
      [...enter, ...bind, pause, ...byLink],
      [...enter, pause, rotate, ...prove, { act: 'remove email', session }],
      [rotate, pause, { act: 'refresh', session, back: 1 }],
      [rotate, rotate, { act: 'refresh', session, back: 2 }],
      [...prove, pause, { act: 'delete account', session }],
      [{ act: 'send link', email }, pause, { act: 'sign in by link', link: 0, ask: undefined, device }],
      [...enter, ...bind, longPause, { act: 'not me', notice: 0 }],
      [...enter, ...change, pause, notMe],
      [...enter, ...bind, ...change, { act: 'me', session: 0 }, notMe, notMe],
      [...byLink, ...change, { act: 'show change', session: 0 }, longPause, notMe],
      [...byLink, { act: 'remove email', session: 0 }],
      [
        ...enter,
        ...bind,
        pause,
        ...byLink,
        ...change,
        { act: 'wait', milliseconds: 3 * day * second - wait },
        ...enter,
      ],
      [...enter, ...bind, { act: 'wait', milliseconds: 20 * day * second + session - 2 }, ...enter],
      [
        ...[...enter, ...bind, { act: 'wait' as const, milliseconds: 20 * day * second + 5 }, ...enter],
        ...[{ act: 'claim' as const, ticket: 0, ask: undefined, device }, ...byLink, ...change],
      ],
      // The owner comes back before the new holder claims the number.
      [
        ...[...enter, ...bind, { act: 'wait' as const, milliseconds: 20 * day * second + 5 }, ...enter],
        ...[...byLink, { act: 'claim' as const, ticket: 0, ask: undefined, device }],
      ],
      // The old number belongs to somebody else when its change is undone, and then it is free again.
      [
        ...enter,
        ...change,
        { act: 'wait', milliseconds: 31 * second },
        ...enter,
        { act: 'not me', notice: 0 },
        ...prove,
        { act: 'delete account', session: 0 },
        notMe,
      ],
      // Two users want one address, and one asks too often.
      [
        ...enter,
        bindFirst,
        { act: 'wait', milliseconds: 31 * second },
        ...enterOther,
        ...bind,
        { act: 'bind', session: 1, email, ...owner },
      ],
      Array<Step[]>(10)
        .fill([
          { act: 'send code', phone },
          { act: 'wait', milliseconds: 300 * second },
        ])
        .flat(),
      [...Array<Step>(6).fill({ act: 'change phone', session: 0, phone: other, ...stranger }), ...change],
      // A lock-out, and the user who asked, or signs in on a known device, gets in all the same.
      [...Array<Step>(17).fill({ act: 'sign in', phone, ...stranger }), ...enter],
    ];
    return plots[plot % plots.length] ?? [];
  });

export const stories: fc.Arbitrary<Step[]> = fc
  .array(fc.oneof({ weight: 5, arbitrary: step.map((one) => [one]) }, { weight: 1, arbitrary: story }), {
    size: 'max',
    maxLength: 250,
  })
  .map((parts) => parts.flat());
