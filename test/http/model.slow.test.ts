// Thousands of random calls, clock jumps and restarts: the service and a simple model of it always give the same answers.
import assert from 'node:assert/strict';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { newPhone } from '../helpers/api.ts';
import { seed as firstSeed } from '../helpers/faults/rounds.ts';
import { isolatedEnv, type StoreKind } from '../helpers/gatehouse.ts';
import { accessEnd, createModel, type Model, type ModelSession, modelSettings } from '../helpers/model.ts';
import { type Said, type Service, startService } from '../helpers/quick-service.ts';
import { otherThan } from '../helpers/users.ts';

type Step =
  | { readonly act: 'send'; readonly user: number }
  /** `ask`: the index of the ask token that is sent, counted from the newest. Undefined: a stranger. */
  | { readonly act: 'guess' | 'log in'; readonly user: number; readonly ask: number | undefined }
  | { readonly act: 'restart' }
  | { readonly act: 'me'; readonly user: number; readonly pick: number }
  | {
      readonly act: 'log out';
      readonly user: number;
      readonly pick: number;
      readonly scope: 'local' | 'others' | 'global';
    }
  | { readonly act: 'refresh'; readonly user: number; readonly pick: number; readonly back: number }
  | { readonly act: 'wait'; readonly milliseconds: number };

const user = fc.nat(2);
const pick = fc.nat(3);
const ask = fc.constantFrom(undefined, undefined, 0, 0, 1, 2);
const scope = fc.constantFrom('local' as const, 'local' as const, 'others' as const, 'global' as const);
const second = 1000;
/** Moments at which something ends, in milliseconds. The step itself and the next one take one each. */
const edges = [1, 30, 60, 120, 300, 600, 900, 930, 3600, 86_400, 30 * 86_400].map((seconds) => seconds * second);
const onEdge = fc
  .tuple(fc.constantFrom(...edges.slice(0, 9)), fc.constantFrom(-3, -2, -1))
  .map(([edge, by]) => edge + by);
const farEdge = fc
  .tuple(fc.constantFrom(...edges.slice(9)), fc.constantFrom(-3, -2, -1))
  .map(([edge, by]) => edge + by);
const waits = fc.oneof(
  { weight: 12, arbitrary: onEdge },
  { weight: 6, arbitrary: fc.integer({ min: 1, max: 400 * second }) },
  { weight: 1, arbitrary: farEdge },
  { weight: 1, arbitrary: fc.integer({ min: second, max: 40 * 86_400 * second }) },
);

const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 160, arbitrary: fc.record({ act: fc.constant('send' as const), user }) },
  { weight: 96, arbitrary: fc.record({ act: fc.constant('guess' as const), user, ask }) },
  { weight: 160, arbitrary: fc.record({ act: fc.constant('log in' as const), user, ask }) },
  {
    weight: 200,
    arbitrary: fc.record({
      act: fc.constant('refresh' as const),
      user,
      pick,
      back: fc.constantFrom(0, 0, 0, 0, 1, 1, 1, 2, 3),
    }),
  },
  { weight: 96, arbitrary: fc.record({ act: fc.constant('me' as const), user, pick }) },
  { weight: 24, arbitrary: fc.record({ act: fc.constant('log out' as const), user, pick, scope }) },
  { weight: 160, arbitrary: fc.record({ act: fc.constant('wait' as const), milliseconds: waits }) },
  { weight: 1, arbitrary: fc.record({ act: fc.constant('restart' as const) }) },
);

/** Sequences that chance alone would rarely find: something is used just when it expires. */
const story: fc.Arbitrary<Step[]> = fc.tuple(user, onEdge, fc.nat(3), ask).map(([who, milliseconds, plot, asked]) => {
  const wait = { act: 'wait' as const, milliseconds };
  const send = { act: 'send' as const, user: who };
  const enter = { act: 'log in' as const, user: who, ask: asked };
  const rotate = { act: 'refresh' as const, user: who, pick: 0, back: 0 };
  const plots: Step[][] = [
    [rotate, wait, { ...rotate, back: 1 }],
    [send, wait, enter],
    [enter, wait, { act: 'me', user: who, pick: 0 }],
    // A lock-out, and the user who asked signs in all the same.
    [...Array<Step>(17).fill({ act: 'guess', user: who, ask: undefined }), send, { ...enter, ask: 0 }],
  ];
  return plots[plot] ?? [];
});

const steps = fc.array(fc.oneof({ weight: 6, arbitrary: step.map((one) => [one]) }, { weight: 1, arbitrary: story }), {
  size: 'max',
  maxLength: 250,
});

/** Every answer that the calls can give. A run that missed one would prove little. */
const answers = [
  [
    '200',
    '400 OTP_INVALID',
    '400 OTP_EXPIRED',
    '429 OTP_ATTEMPTS_EXCEEDED',
    '429 OTP_SEND_LIMIT',
    '429 OTP_RESEND_TOO_SOON',
  ],
  ['401 ACCESS_TOKEN_EXPIRED', '401 SESSION_REVOKED', '401 REFRESH_TOKEN_EXPIRED', '401 REFRESH_TOKEN_REUSED'],
].flat();
const given = new Set<string>();

/** Takes a step in the service and in the model. Throws if they differ. Returns false if the step does not apply. */
async function take(service: Service, models: readonly Model[], step: Step): Promise<boolean> {
  const { pass } = service;
  // No two events at one instant, so that "least recently used" is never a tie.
  pass(1);
  if (step.act === 'wait' || step.act === 'restart') return passTime(service, step);
  const model = models[step.user] ?? assert.fail('no such user');
  switch (step.act) {
    case 'send':
      return send(service, model);
    case 'guess':
      return enter(service, model, false, step.ask);
    case 'log in':
      return enter(service, model, true, step.ask);
    case 'me':
    case 'refresh':
    case 'log out':
      return useSession(service, model, step);
  }
}

type SessionStep = Extract<Step, { pick: number }>;

async function useSession(service: Service, model: Model, step: SessionStep): Promise<boolean> {
  const { call, clock } = service;
  const session = model.sessions.at(-1 - step.pick);
  if (session === undefined) return false;
  if (step.act === 'refresh') return refresh(service, model, session, step.back);
  // After this time its signing key may be retired, and then the token is invalid rather than expired.
  if (clock.now() > session.accessEndsAt + 3_000_000) return false;
  const bearer = { authorization: `Bearer ${session.accessToken}` };
  if (step.act === 'me') return agree(await call('GET', 'me', bearer), model.use(session));
  const said = await call('POST', 'logout', bearer, { scope: step.scope });
  return agree(said, model.signOut(session, step.scope));
}

async function passTime({ pass, restart }: Service, step: Step): Promise<boolean> {
  if (step.act === 'wait') pass(step.milliseconds);
  else await restart();
  return true;
}

async function send({ call, nextCode, clock }: Service, model: Model): Promise<boolean> {
  const arrives = nextCode(model.phone);
  const said = await call(
    'POST',
    'phone/send/otp',
    { 'captcha-token': 'x', 'ask-token': 'new' },
    { recipient: model.phone },
  );
  agree(said, model.send());
  if (said.verdict !== '200') return true;
  const code = await arrives;
  if (model.code !== '') assert.equal(code, model.code, 'a resend repeats the code');
  model.code = code;
  model.asks.push({ token: said.askToken, endsAt: Math.ceil(clock.now() / second + 300) * second });
  return true;
}

async function enter({ call }: Service, model: Model, isRight: boolean, back: number | undefined): Promise<boolean> {
  const known = model.code === '' ? '000000' : model.code;
  const ask = back === undefined ? undefined : model.asks.at(-1 - back);
  const headers: Record<string, string> = ask === undefined ? {} : { 'ask-token': ask.token };
  const body = { phone: model.phone, otp: isRight ? known : otherThan(known) };
  const said = await call('POST', 'phone/login', headers, body);
  agree(said, model.guess(isRight && model.code !== '', ask));
  if (said.verdict === '200') model.begin(said.data.JWT, said.data.RT);
  return true;
}

async function refresh({ call, clock }: Service, model: Model, session: ModelSession, back: number): Promise<boolean> {
  const token = session.tokens.at(-1 - back);
  if (token === undefined) return false;
  const said = await call('POST', 'refresh-token', { RT: token });
  agree(said, model.refresh(session, back));
  if (said.verdict !== '200') return true;
  if (back === 0) session.tokens.push(said.data.RT);
  assert.equal(said.data.RT, session.tokens.at(-1), 'one successor');
  assert.equal(new Set(session.tokens).size, session.tokens.length, 'no token comes back');
  session.accessToken = said.data.JWT;
  session.accessEndsAt = accessEnd(clock.now());
  return true;
}

function agree({ verdict }: Said, expected: string): true {
  assert.equal(verdict, expected);
  given.add(verdict);
  return true;
}

/** Runs until that many steps are taken. */
async function compare(kind: StoreKind, wanted: number): Promise<string> {
  // In memory if the machine offers it, because this test is about answers, not about the disk.
  const memory = existsSync('/dev/shm') ? mkdtempSync(join('/dev/shm', 'gatehouse-model-')) : undefined;
  const { env, dispose } = await isolatedEnv(kind, {
    ...modelSettings,
    ...(memory !== undefined && { DATA_DIR: memory }),
  });
  const service = await startService(env);
  const seed = Number(process.env.MODEL_SEED ?? firstSeed);
  let taken = 0;
  // The search for a smaller example of a difference has a time limit.
  let searchEndsAt = Number.POSITIVE_INFINITY;
  const isOver = () => taken >= wanted || performance.now() > searchEndsAt;
  try {
    const property = fc.asyncProperty(steps, async (stories) => {
      const models = [newPhone(), newPhone(), newPhone()].map((phone) => createModel(phone, service.clock.now));
      for (const each of stories.flat()) {
        if (isOver()) return;
        const isTaken = await take(service, models, each).catch((error: unknown) => {
          searchEndsAt = Math.min(searchEndsAt, performance.now() + 55_000);
          throw error;
        });
        if (isTaken) taken += 1;
      }
    });
    await fc.assert(property, { seed, numRuns: wanted });
  } finally {
    await service.stop();
    await dispose();
    if (memory !== undefined) rmSync(memory, { recursive: true, force: true });
  }
  assert.equal(taken, wanted);
  return `${taken} steps, seed ${seed} (repeat with MODEL_SEED=${seed})`;
}

describe('the service and its model', () => {
  it('the service and its model agree over ten thousand steps on SQLite', async (context) => {
    context.diagnostic(await compare('sqlite', 10_000));
    assert.deepEqual([...given].sort(), answers.toSorted());
  });

  it('the service and its model agree over a thousand steps on PostgreSQL', async (context) => {
    context.diagnostic(await compare('postgres', 1000));
  });
});
