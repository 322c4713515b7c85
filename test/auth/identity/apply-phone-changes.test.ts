// A round over scheduled changes of phone numbers: how much it asks of the store, and what it does with the outcomes.
import assert from 'node:assert/strict';
import { it } from 'node:test';
import { applyPhoneChanges } from '../../../src/auth/identity/apply-phone-changes.ts';
import type { DueOutcome, DueRound } from '../../../src/auth/identity/scheduled-phone.ts';
import { createAuthStage } from '../../helpers/people/auth-fakes.ts';
import { asSessionId } from '../../helpers/people/ids.ts';
import { noon } from '../../helpers/store/fixtures.ts';

const applied = (...sessionIds: string[]): DueOutcome => ({ kind: 'applied', sessionIds: sessionIds.map(asSessionId) });

/** `dues`: what is due in each round. `handled`: the outcomes of each round. */
function open(dues: number[], handled: DueOutcome[][]) {
  const rounds: DueRound[] = [];
  const stage = createAuthStage(
    {
      scheduledPhones: {
        countDuePhoneChanges: async () => dues.shift() ?? assert.fail('asked too often'),
        applyPhoneChanges: async (round) => {
          rounds.push(round);
          return handled.shift() ?? assert.fail('applied too often');
        },
      },
      revocations: { add: () => undefined },
    },
    { phoneRecoveryWaitSeconds: 77 },
  );
  const given = (verb: string) => stage.calls.filter(([each]) => each === verb).map(([, ...rest]) => rest);
  return { ...stage, rounds, given };
}

it('a round in which nothing is due prepares and wakes nothing', async () => {
  const { deps, calls } = open([0], []);
  await applyPhoneChanges(deps);
  assert.deepEqual(calls, [['scheduledPhones.countDuePhoneChanges', { now: noon, most: 20 }]]);
});

it('a round prepares notices for as many changes as are due, refuses the ended sessions and wakes both channels', async () => {
  const { deps, rounds, given } = open([3], [[applied('a', 'b'), { kind: 'taken' }, applied('c')]]);
  await applyPhoneChanges(deps);
  const [round] = rounds;
  assert.deepEqual([round?.notices.length, round?.waitSeconds, round?.now], [3, 77, noon]);
  const hashes = round?.notices.flatMap(({ sms, mail }) => [sms.tokenHash, mail.tokenHash]);
  assert.equal(new Set(hashes).size, 6, 'each message has a link of its own');
  assert.deepEqual(given('revocations.add'), [[['a', 'b', 'c']]]);
  assert.deepEqual(given('wakeDelivery'), [[undefined]]);
});

it('a full round is followed by another one', async () => {
  const full = Array.from({ length: 20 }, () => applied());
  const { deps, rounds } = open([20, 20, 1], [full, full, [applied()]]);
  await applyPhoneChanges(deps);
  assert.equal(rounds.length, 3);
});

it('a round in which another node holds everything ends, and wakes nobody', async () => {
  const { deps, given } = open([20], [[]]);
  await applyPhoneChanges(deps);
  assert.deepEqual(given('wakeDelivery'), []);
});
