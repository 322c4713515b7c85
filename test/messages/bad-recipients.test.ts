// Many recipients that a provider refuses, beside users who wait for their codes: the real worker and rules, by a clock of the test.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { deliveryTimes, startDelivery } from '../../src/messages/delivery/deliver.ts';
import type { Sender, SendOutcome } from '../../src/messages/delivery/sender.ts';
import type { ClaimedMessage, OutboxStore } from '../../src/messages/outbox.ts';
import {
  beginMessage,
  claimMessage,
  type MessageProgress,
  parkMessage,
  retryMessage,
} from '../../src/messages/outbox-rules.ts';
import { noon } from '../helpers/store/fixtures.ts';

type Entry = { readonly message: Omit<ClaimedMessage, 'heldUntil'>; progress: MessageProgress };

/** The order and the changes are those of the store. */
function memoryOutbox() {
  const entries = new Map<string, Entry>();
  const change = (id: string, rule: (progress: MessageProgress) => MessageProgress | undefined): boolean => {
    const entry = entries.get(id);
    const next = entry && rule(entry.progress);
    if (entry !== undefined && next !== undefined) entry.progress = next;
    return next !== undefined;
  };
  const outbox: OutboxStore = {
    claim: async ({ channel, now, most, leaseSeconds, isProbe = false }) => {
      const due = [...entries.values()].filter(
        ({ message, progress }) => message.channel === channel && progress.state !== 'parked' && progress.dueAt <= now,
      );
      const fresh = isProbe ? due.filter(({ progress }) => progress.tries === 0).reverse() : [];
      const line = fresh.length > 0 ? fresh : due.toSorted((a, b) => a.progress.dueAt - b.progress.dueAt);
      return line.slice(0, most).map((entry) => {
        entry.progress = claimMessage(entry.progress, { now, leaseSeconds });
        const { tries, doubts, dueAt: heldUntil } = entry.progress;
        return { ...entry.message, tries, doubts, heldUntil };
      });
    },
    claimExpired: async () => [],
    finish: async (id) => void entries.delete(id),
    finishSent: async (sent) => {
      for (const { id } of sent) entries.delete(id);
    },
    giveBack: async () => undefined,
    begin: async (begun) =>
      begun.map(({ id, ...lease }) =>
        change(id, (progress) => beginMessage(progress, { ...lease, kind: 'phone-login' })),
      ),
    retry: async ({ id, ...retry }) => void change(id, (progress) => retryMessage(progress, retry)),
    park: async ({ id, ...parking }) => void change(id, (progress) => parkMessage(progress, parking)),
    setAside: async () => 0,
    measure: async () => ({ waiting: 0, parked: 0, oldestAt: undefined }),
  };
  const queue = (id: string, now: number) => {
    const message = {
      id,
      channel: 'sms',
      kind: 'phone-login',
      payload: {
        to: id,
        language: 'en',
        challenge: { id: 'id', nonce: 'nonce', secretId: 'abcd' },
        expiresAt: now + 300_000,
      },
      createdAt: now,
      expiresAt: now + 300_000,
      tries: 0,
      doubts: 0,
    } as const;
    entries.set(id, { message, progress: { state: 'queued', tries: 0, doubts: 0, dueAt: now } });
  };
  return { outbox, queue };
}

/** Milliseconds that each honest message waited. 200 bad ones stand before them, and one comes every five seconds for a minute. */
async function waitsBehind(refusal: SendOutcome, providers: number): Promise<number[]> {
  let now = noon;
  const { outbox, queue } = memoryOutbox();
  const arrivals = new Map<string, number>();
  const send: Sender['send'] = async ({ to }) => {
    if (to.startsWith('bad')) return refusal;
    arrivals.set(to, now);
    return { kind: 'accepted' };
  };
  const senders = Array.from(
    { length: providers },
    (_, place) => ({ name: `${place}`, channel: 'sms', send }) as const,
  );
  const worker = startDelivery(
    {
      outbox,
      clock: { now: () => now },
      senders: { sms: senders, mail: [] },
      write: async ({ id, createdAt }) => ({ id, to: id, text: 'code', createdAt }),
      report: () => undefined,
      mark: () => 'mark',
      countryOf: () => 'DE',
      onProvider: () => undefined,
      onEnd: () => undefined,
      onEmpty: () => undefined,
      onShut: () => undefined,
    },
    deliveryTimes,
  );
  for (let count = 0; count < 200; count++) queue(`bad ${count}`, now);
  const asked: [id: string, at: number][] = [];
  for (let step = 0; step < 280; step++) {
    if (step % 20 === 0 && step < 240) {
      asked.push([`good ${step}`, now]);
      queue(`good ${step}`, now);
    }
    worker.wake('sms');
    // Nothing but turns of the event loop lies between a wake and the answers.
    for (let turn = 0; turn < 30; turn++) await nextTurn();
    now += 250;
  }
  await worker.stop();
  return asked.map(([id, at]) => (arrivals.get(id) ?? Number.POSITIVE_INFINITY) - at);
}

describe('200 recipients that are refused', () => {
  const refusals: [what: string, SendOutcome][] = [
    ['a verdict about each', { kind: 'refused', error: 'SMTP 450 at RCPT TO', isOfRecipient: true }],
    ['what looks like a failure of the provider', { kind: 'refused', error: 'HTTP 500' }],
  ];
  for (const [what, refusal] of refusals) {
    for (const providers of [1, 2]) {
      it(`with ${what} delay no other message for ten seconds, with ${providers} providers`, async () => {
        const waits = await waitsBehind(refusal, providers);
        assert.equal(waits.length, 12);
        assert.ok(Math.max(...waits) <= 10_000, waits.join());
      });
    }
  }
});
