// The rules of the webhook queue: claims, outcomes, the schedule of tries and replays.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import {
  advanceWebhook,
  canReplay,
  chooseQueues,
  claimWebhook,
  judgeQueue,
  pauseAfter,
  queueOf,
  type WebhookProgress,
  type WebhookStep,
} from '../../../src/backend/webhooks/webhook-rules.ts';
import { asUserId } from '../../helpers/people/ids.ts';
import { noon } from '../../helpers/store/fixtures.ts';

const sending: WebhookProgress = { state: 'sending', tries: 2, dueAt: noon, doneAt: undefined, error: 'before' };

describe('the queue of a webhook', () => {
  it('is that of its user, and its own without one', () => {
    assert.equal(queueOf({ id: 'event', userId: asUserId('ann') }), 'ann');
    assert.equal(queueOf({ id: 'event', userId: undefined }), 'event');
  });

  for (const [what, found, except, most, chosen] of [
    ['as many as there are places', ['ann', 'bob', 'cid'], [], 2, ['ann', 'bob']],
    ['each once, if the search went around', ['cid', 'ann', 'bob', 'cid'], [], 9, ['cid', 'ann', 'bob']],
    ['none that has its turn already', ['ann', 'bob', 'cid'], ['ann', 'cid'], 2, ['bob']],
    ['none of none', [], ['ann'], 2, []],
  ] as const) {
    it(`has a turn: ${what}`, () => {
      assert.deepEqual(chooseQueues(found, except, most), chosen);
    });
  }
});

describe('the queue of an endpoint', () => {
  const limit = { most: 10, room: 8, now: noon };
  const since = noon - 1000;
  const cases: [string, fullSince: number | undefined, waiting: number, expected: number | undefined][] = [
    ['with room takes events', undefined, 9, undefined],
    ['becomes full at its bound', undefined, 10, noon],
    ['stays full beyond its bound, since the same time', since, 10, since],
    ['stays full until it has room for many', since, 8, since],
    ['takes events again once it has', since, 7, undefined],
  ];
  for (const [name, fullSince, waiting, expected] of cases)
    it(name, () => assert.deepEqual(judgeQueue({ fullSince }, waiting, limit), { fullSince: expected }));
});

describe('a webhook entry', () => {
  it('is held under a lease, and counts as tried', () => {
    const held = { state: 'sending', tries: 3, dueAt: noon + 30_000 };
    assert.deepEqual(claimWebhook(sending, { now: noon, leaseSeconds: 30 }), held);
  });

  const steps: [WebhookStep, changes: Partial<WebhookProgress>][] = [
    [
      { kind: 'delivered', now: noon },
      { state: 'delivered', doneAt: noon, error: undefined },
    ],
    [
      { kind: 'failed', dueAt: noon + 5, error: '500' },
      { state: 'queued', dueAt: noon + 5, error: '500' },
    ],
    [
      { kind: 'released', dueAt: noon + 5 },
      { state: 'queued', dueAt: noon + 5, tries: 1 },
    ],
    [
      { kind: 'parked', error: '410', now: noon },
      { state: 'parked', doneAt: noon, error: '410' },
    ],
  ];
  for (const [step, changes] of steps) {
    it(`that was ${step.kind} is ${changes.state}; one that is done stays as it is`, () => {
      assert.deepEqual(advanceWebhook(sending, step), { ...sending, ...changes });
      assert.equal(advanceWebhook({ ...sending, doneAt: noon - 1 }, step), undefined);
    });
  }

  const replays: [what: string, Parameters<typeof canReplay>[0], expected: boolean][] = [
    ['that is new', undefined, true],
    ['that waits', { isSending: false, dueAt: noon + 1 }, true],
    ['that a node is sending', { isSending: true, dueAt: noon + 1 }, false],
    ['whose lease has ended', { isSending: true, dueAt: noon }, true],
  ];
  for (const [what, known, expected] of replays) {
    it(`${what} is ${expected ? '' : 'not '}queued anew`, () => assert.equal(canReplay(known, noon), expected));
  }
});

describe('the pause after a failed webhook', () => {
  const failed = { kind: 'failed', error: '500' } as const;

  it('grows to a day; the thirteenth try is the last', () => {
    const pauses = Array.from({ length: 13 }, (_, index) => pauseAfter(index + 1, failed, 0.5));
    const seconds = [1, 5, 30, 120, 600, 1800, 3600, 7200, 14_400, 28_800, 43_200, 86_400];
    assert.deepEqual(pauses, [...seconds, undefined]);
  });

  it('is up to a fifth shorter or longer', () => {
    assert.deepEqual(
      [0, 1].map((chance) => Math.round(pauseAfter(5, failed, chance) ?? 0)),
      [480, 720],
    );
  });

  it('is as long as the receiver asks, up to a day', () => {
    assert.equal(pauseAfter(1, { ...failed, retryAfterSeconds: 90 }, 0.5), 90);
    assert.equal(pauseAfter(1, { ...failed, retryAfterSeconds: 999_999 }, 0.5), 86_400);
  });

  it('never comes where the receiver is gone for good', () => {
    assert.equal(pauseAfter(1, { kind: 'hopeless', error: '410' }, 0.5), undefined);
  });
});
