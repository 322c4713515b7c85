// Two properties of refresh tokens, over random histories with lost answers on two nodes, with the default settings: an honest client is
// never signed out, and a thief is found.
import assert from 'node:assert/strict';
import { after, before, it } from 'node:test';
import fc from 'fast-check';
import { writeDeviceToken } from '../../../../../src/auth/devices/device-token.ts';
import type { RotationOutcome } from '../../../../../src/auth/sessions/session.ts';
import {
  hashSeed,
  newSeed,
  parseRefreshToken,
  writeRefreshToken,
} from '../../../../../src/auth/tokens/refresh-token.ts';
import { refreshTokenPair } from '../../../../../src/auth/tokens/refresh-token-pair.ts';
import { createEnvReader } from '../../../../../src/config/env-reader.ts';
import { readPolicies } from '../../../../../src/config/read-policies.ts';
import { Failure } from '../../../../../src/kernel/failure.ts';
import { createPorts, type Ports } from '../../../../../src/store/ports.ts';
import type { Store } from '../../../../../src/store/store.ts';
import { rounds, seed as runSeed } from '../../../../helpers/faults/rounds.ts';
import { createAuthStage, secrets } from '../../../../helpers/people/auth-fakes.ts';
import { newPhone, noon, signIn } from '../../../../helpers/store/fixtures.ts';
import { openNode } from '../../../../helpers/store/open-node.ts';
import { onEveryStore } from '../../../../helpers/store/test-store.ts';
import {
  type Client,
  createRefreshModel,
  type Event,
  type History,
  honestHistories,
  isSameDevice,
  mostLateInADay,
  theftHistories,
  type Verdict,
} from './refresh-model.ts';

const mode = { isProduction: true, isInbox: { sms: false, mail: false } };
const { session: policy } = readPolicies(createEnvReader({}), mode);

/** What a client has: the newest token that reached it. */
type Holder = { client: Client; token: string; number: number };

/** At once, so that the inputs of many histories share batches. */
const atOnce = 50;

onEveryStore('histories of refresh tokens', (open, kind) => {
  let second: Store | undefined;
  let nodes: Ports[] = [];
  before(async () => {
    second = await openNode(kind, open().address);
    nodes = [open().ports, createPorts(second)];
  });
  after(() => second?.close());

  /** One call, and what the node decided. The number of the token that it returned is known, because tokens are deterministic. */
  const present = async (node: number, { token, client }: Holder, now: number) => {
    let outcome: RotationOutcome | undefined;
    const ports = nodes[node] ?? assert.fail('no such node');
    const { deps } = createAuthStage(
      {
        sessions: { rotate: async (given) => (outcome = await ports.sessions.rotate(given)) },
        revocations: { add: () => undefined },
      },
      { clock: { now: () => now }, sessionPolicy: policy },
    );
    const pair = await refreshTokenPair(deps, { token, ...client }).catch((error: unknown) => {
      if (!(error instanceof Failure)) throw error;
    });
    const kindOf = outcome?.kind === 'renewed' ? outcome.renewal : outcome?.kind;
    return { verdict: kindOf as Verdict, token: pair?.refreshToken };
  };

  const begin = async (hasDevice: boolean): Promise<Holder> => {
    const seed = newSeed();
    const { userId, session } = await signIn(open().ports, newPhone(), noon, {
      session: { seedHash: hashSeed(seed), policy },
    });
    const deviceToken = hasDevice ? writeDeviceToken(secrets, { userId, phone: undefined }, noon).text : undefined;
    const token = writeRefreshToken(secrets, { sessionId: session.id, seed, counter: 0 });
    return { client: { deviceToken, userAgent: 'Firefox/140', ip: '192.0.2.7' }, token, number: 0 };
  };

  const steal = ({ client, token, number }: Holder, { what, isNear }: NonNullable<History['theft']>): Holder => ({
    client: {
      deviceToken: what === 'device' ? client.deviceToken : undefined,
      userAgent: what === 'device' ? client.userAgent : 'curl/8',
      ip: isNear ? client.ip : '198.51.100.9',
    },
    token,
    number,
  });

  /** Plays the history, compares every verdict with the model, and returns what happened. */
  const play = async ({ steps, hasDevice, theft }: History) => {
    const model = createRefreshModel();
    const owner = await begin(hasDevice);
    let thief: Holder | undefined;
    let now = noon;
    const events: Event[] = [];
    const foreign: Event[] = [];
    for (const [index, { who, pause, fate, node, change }] of steps.entries()) {
      if (index === theft?.after) thief = steal(owner, theft);
      const holder = who === 'owner' ? owner : thief;
      if (holder === undefined) continue;
      now += pause;
      if (hasDevice && change === 'moved') holder.client = { ...holder.client, ip: `203.0.${index}.7` };
      if (hasDevice && change === 'updated') holder.client = { ...holder.client, userAgent: `${who}/${index}` };
      if (fate === 'refused') continue;
      const asked = fate === 'twice' ? [node, 1 - node] : [node];
      const before = model.rotatedBy(holder.number);
      const expected = asked.map(() => model.present(holder.number, holder.client, now));
      const answers = await Promise.all(asked.map((one) => present(one, holder, now)));
      assert.deepEqual(answers.map(({ verdict }) => verdict).sort(), expected.toSorted(), `step ${index}`);
      for (const verdict of expected) {
        const event = { who, token: holder.number, at: now, verdict };
        events.push(event);
        if (before !== undefined && !isSameDevice(before, holder.client)) foreign.push(event);
      }
      for (const { token } of answers) {
        if (token === undefined || fate === 'lost') continue;
        assert.equal(parseRefreshToken(secrets, token).counter, holder.number + 1, 'one successor');
        holder.token = token;
      }
      if (holder.token !== '' && fate !== 'lost' && answers.some(({ token }) => token !== undefined))
        holder.number += 1;
    }
    return { events, foreign };
  };

  const playAll = async (histories: fc.Arbitrary<History>, count: number) => {
    const all = fc.sample(histories, { numRuns: count, seed: runSeed });
    const played: Awaited<ReturnType<typeof play>>[] = [];
    for (let from = 0; from < all.length; from += atOnce)
      played.push(
        ...(await Promise.all(
          all.slice(from, from + atOnce).map((history) =>
            play(history).catch((error: unknown) => {
              throw new Error(`seed ${runSeed}: ${JSON.stringify(history, null, 1)}`, { cause: error });
            }),
          ),
        )),
      );
    return played;
  };
  const has = (events: readonly Event[], verdict: Verdict) => events.some((event) => event.verdict === verdict);

  it('an honest client is never signed out, unless it needs a late repeat of a fourth rotation in 24 hours', async (test) => {
    const played = await playAll(honestHistories, rounds(120));
    for (const { events } of played)
      if (has(events, 'reused')) assert.equal(mostLateInADay(events), 3, 'it ended without need');
    const late = played.filter(({ events }) => has(events, 'repeated late'));
    const lost = late.filter(({ events }) => has(events, 'reused'));
    assert.ok(late.length > 40 && lost.length > 0 && lost.length < late.length / 2, `${late.length}, ${lost.length}`);
    test.diagnostic(`${played.length} histories, ${late.length} with late repeats, ${lost.length} with too many`);
  });

  it('a thief is found: from another device at once, with a full copy at the fourth rotation in 24 hours', async (test) => {
    const played = await playAll(theftHistories, rounds(120));
    const found = played.filter(({ events }) => has(events, 'reused'));
    for (const { events, foreign } of played) {
      assert.ok(mostLateInADay(events) <= 3, 'the copies went on for a fourth rotation');
      assert.ok(!has(foreign, 'repeated late'), 'another device got the successor after the grace period');
    }
    assert.ok(found.length > played.length / 2, `${found.length} of ${played.length}`);
    test.diagnostic(`${played.length} histories, the thief was found in ${found.length}`);
  });
});
