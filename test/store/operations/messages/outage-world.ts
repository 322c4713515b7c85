// A simulated service for outages of a provider: the real store, rules and delivery worker, by a clock of the test.

import assert from 'node:assert/strict';
import type { SendRequest } from '../../../../src/auth/codes/send-request.ts';
import { deliveryTimes, startDelivery } from '../../../../src/messages/delivery/deliver.ts';
import type { OutgoingMessage, SendOutcome } from '../../../../src/messages/delivery/sender.ts';
import type { Ports } from '../../../../src/store/ports.ts';
import { asPhone } from '../../../helpers/people/ids.ts';
import { defaultLimits } from '../../../helpers/services/default-limits.ts';
import { attempt, codeRequest, newChallengeSeed, noon, phoneSignIn, right } from '../../../helpers/store/fixtures.ts';

const limits = defaultLimits();

type Asker = { readonly phone: string; readonly ip: string; readonly country?: string };

export function outageWorld(ports: Ports, answer: (message: OutgoingMessage, now: number) => SendOutcome) {
  let now = noon;
  const accepted = new Set<string>();
  /** Refused answers by code, passed requests by number. */
  const refusals: { code: string; phone: string; at: number }[] = [];
  const errors: string[] = [];
  let isIdle: () => void = () => undefined;
  let busy = 0;
  /** A round that began after the last change, and found nothing to do. */
  const round = async (work: () => Promise<number>): Promise<void> => {
    const resolveIdle = isIdle;
    if ((await work()) === 0 && busy === 0) resolveIdle();
  };
  const watched = <Output>(work: Promise<Output>): Promise<Output> => {
    busy += 1;
    return work.finally(() => {
      busy -= 1;
    });
  };
  const { outbox } = ports;
  const worker = startDelivery(
    {
      outbox: {
        ...outbox,
        claim: async (input) => {
          let claimed: Awaited<ReturnType<typeof outbox.claim>> = [];
          await round(async () => {
            claimed = await outbox.claim(input);
            return claimed.length;
          });
          return claimed;
        },
        setAside: async (input) => {
          let count = 0;
          await round(async () => {
            count = await outbox.setAside(input);
            return count;
          });
          return count;
        },
        begin: (input) => watched(outbox.begin(input)),
        retry: (input) => watched(outbox.retry(input)),
        park: (input) => watched(outbox.park(input)),
        finishSent: (input) => watched(outbox.finishSent(input)),
      },
      clock: { now: () => now },
      senders: { sms: [{ name: 'provider', channel: 'sms', send }], mail: [] },
      write: async ({ id, payload, createdAt }) => ({ id, to: payload.to, text: 'code', createdAt }),
      report: ({ outcome, error = '' }) => {
        if (outcome === 'failed') errors.push(error);
      },
      mark: () => 'mark',
      countryOf: (to) => (to.startsWith('+49') ? 'DE' : 'FR'),
      onProvider: () => undefined,
      onEnd: () => undefined,
      onEmpty: () => undefined,
      onShut: () => undefined,
    },
    // The time of the outage is that of the test; only the worker looks more often.
    { ...deliveryTimes, pollMilliseconds: 5 },
  );
  const requestOf = ({ phone, ip, country = 'DE' }: Asker): SendRequest => ({
    ...codeRequest(phone, now, { ip, country, policy: limits.sends.sms, brake: limits.brake, otp: limits.otp.sms }),
    captcha: undefined,
  });
  return {
    accepted,
    refusals,
    now: () => now,
    pass: (milliseconds: number) => {
      now += milliseconds;
    },
    ask: async (asker: Asker): Promise<string> => {
      const outcome = await ports.sendRequests.request(requestOf(asker));
      if (outcome?.code === undefined) return 'passed';
      refusals.push({ code: outcome.code, phone: asker.phone, at: now });
      return outcome.code;
    },
    use: async (phone: string, country = 'DE') => {
      const given = right({ ...attempt(phone, now), seed: newChallengeSeed() });
      const outcome = await ports.signIns.signInWithPhone(
        phoneSignIn(given, asPhone(phone), now, { countsUse: true, country }),
      );
      assert.equal(outcome.kind, 'signed in');
    },
    /** The worker of a node does all that is due now. */
    deliver: async () => {
      worker.wake();
      await new Promise<void>((resolve) => {
        isIdle = resolve;
      });
      assert.deepEqual(errors, []);
    },
    end: () => worker.stop(),
  };
  async function send(message: OutgoingMessage): Promise<SendOutcome> {
    const outcome = answer(message, now);
    if (outcome.kind === 'accepted') accepted.add(message.to);
    return outcome;
  }
}
