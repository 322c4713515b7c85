// A simulated service for outages of a provider: the real store, rules and delivery worker, by a clock of the test.
import assert from 'node:assert/strict';
import type { SendRequest } from '../../../src/auth/send-request.ts';
import { deliveryTimes, startDelivery } from '../../../src/messages/deliver.ts';
import type { OutgoingMessage, SendOutcome } from '../../../src/messages/sender.ts';
import type { Ports } from '../../../src/store/ports.ts';
import { defaultLimits } from '../default-limits.ts';
import { attempt, codeRequest, newChallengeSeed, noon, phoneSignIn, right } from './fixtures.ts';

const limits = defaultLimits();

export type Asker = { readonly phone: string; readonly ip: string; readonly country?: string };

export function outageWorld(ports: Ports, answer: (message: OutgoingMessage, now: number) => SendOutcome) {
  let now = noon;
  const accepted = new Set<string>();
  /** Refused answers by code, passed requests by number. */
  const refusals: { code: string; phone: string; at: number }[] = [];
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
      const outcome = await ports.signIns.signInWithPhone(phoneSignIn(given, phone, now, { countsUse: true, country }));
      assert.equal(outcome.kind, 'signed in');
    },
    /** The worker of a node sends all messages that are due. */
    deliver: async () => {
      const errors: string[] = [];
      await new Promise<void>((resolve) => {
        const worker = startDelivery(
          {
            outbox: ports.outbox,
            clock: { now: () => now },
            senders: { sms: [{ name: 'provider', channel: 'sms', send }], mail: [] },
            write: async ({ id, payload, createdAt }) => ({ id, to: payload.to, text: 'code', createdAt }),
            report: ({ outcome, error = '' }) => {
              if (outcome === 'failed') errors.push(error);
            },
            mark: () => 'mark',
            onEnd: () => undefined,
            onEmpty: (channel) => {
              if (channel === 'sms') void worker.stop().then(resolve);
            },
          },
          deliveryTimes,
        );
      });
      assert.deepEqual(errors, []);
    },
  };
  async function send(message: OutgoingMessage): Promise<SendOutcome> {
    const outcome = answer(message, now);
    if (outcome.kind === 'accepted') accepted.add(message.to);
    return outcome;
  }
}
