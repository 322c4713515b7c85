// The webhook worker: order of one user's events, what each answer makes of an event, leases, and a stop in between.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { startWebhooks, type WebhookReport, webhookTimes } from '../../../src/backend/webhooks/deliver-webhooks.ts';
import type { PostOutcome, WebhookEndpoint } from '../../../src/backend/webhooks/endpoint.ts';
import { writeWebhook } from '../../../src/backend/webhooks/webhook-event.ts';
import type { ClaimedWebhook, WebhookClaim, WebhookQueue } from '../../../src/backend/webhooks/webhook-queue.ts';
import type { StoredEvent } from '../../../src/kernel/audit.ts';
import type { UserId } from '../../../src/kernel/ids.ts';
import { asUserId } from '../../helpers/people/ids.ts';

const noon = Date.UTC(2031, 4, 5, 12);
const times = { ...webhookTimes, pollMilliseconds: 5000 };

function eventOf(id: string, userId: UserId | undefined, kind = 'user.created'): StoredEvent {
  return { id, kind, ...(userId !== undefined && { userId }), detail: {}, at: noon - 3000 };
}

function entry(id: string, userId?: UserId, more: Partial<ClaimedWebhook> = {}): ClaimedWebhook {
  const eventId = `event ${id}`;
  const event = eventOf(eventId, userId);
  return { id, eventId, queue: userId ?? eventId, event, tries: 1, createdAt: noon - 2000, ...more };
}

type Call = readonly [name: string, input: Readonly<Record<string, unknown>>];

/** `backs`: what each call of `queueUp` gives. */
function createQueue(pages: readonly (readonly ClaimedWebhook[])[], backs: readonly number[]) {
  const left = [...pages];
  const leftBacks = [...backs];
  const claims: WebhookClaim[] = [];
  const calls: Call[] = [];
  const note = (name: string) => async (input: Readonly<Record<string, unknown>>) => void calls.push([name, input]);
  const webhooks: WebhookQueue = {
    look: async () => ({ isInQueue: left.length > 0, isBack: leftBacks.length > 0 }),
    queueUp: async ({ endpoint, now, most }) => {
      assert.deepEqual([endpoint, now, most], ['endpoint', noon, 512]);
      return leftBacks.shift() ?? 0;
    },
    claim: async (input) => {
      claims.push(input);
      return [...(left.shift() ?? [])];
    },
    finish: note('finish'),
    retry: note('retry'),
    release: note('release'),
    park: note('park'),
    limit: async () => ({ before: { fullSince: undefined }, after: { fullSince: undefined } }),
    measure: async () => ({ waiting: 0, parked: 0, oldestAt: undefined }),
  };
  return { webhooks, claims, calls };
}

type Answer = (id: string, payload: string, signal: AbortSignal) => Promise<PostOutcome> | PostOutcome;

const delivered: PostOutcome = { kind: 'delivered', status: 204 };
const failed: PostOutcome = { kind: 'failed', error: 'HTTP 500' };

type Choice = {
  readonly settle?: () => Promise<void>;
  readonly changes?: Partial<typeof times>;
  readonly backs?: readonly number[];
};

/** Runs the worker over the pages, and tells what it posted, did and reported. */
async function run(
  pages: readonly (readonly ClaimedWebhook[])[],
  answer: Answer = () => delivered,
  { settle = turn, changes = {}, backs = [] }: Choice = {},
) {
  const { webhooks, claims, calls } = createQueue(pages, backs);
  const posts: [id: string, payload: string][] = [];
  const reports: WebhookReport[] = [];
  const post: WebhookEndpoint['post'] = async (id, payload, signal) => {
    posts.push([id, payload]);
    return answer(id, payload, signal);
  };
  const endpoint: WebhookEndpoint = { id: 'endpoint', host: 'app.example.com', post };
  const clock = { now: () => noon };
  const parts = { webhooks, clock, endpoints: [endpoint], report: (news: WebhookReport) => void reports.push(news) };
  const worker = startWebhooks(parts, { ...times, ...changes });
  await settle();
  await worker.stop();
  return { posts, claims, calls, reports };
}

async function turn(): Promise<void> {
  for (let round = 0; round < 3; round++) await new Promise((resolve) => setImmediate(resolve));
}

describe('the webhook worker', () => {
  it('an event that is accepted is posted once under its id and finished', async () => {
    const { posts, calls, reports } = await run([[entry('a', asUserId('ann'))]]);
    assert.deepEqual(posts, [['event a', writeWebhook(eventOf('event a', asUserId('ann')))]]);
    assert.deepEqual(calls, [['finish', { id: 'a', now: noon }]]);
    assert.deepEqual(reports, [{ endpoint: 'endpoint', host: 'app.example.com', outcome: 'delivered', seconds: 2 }]);
  });

  it('an event that fails is tried again after its pause, and the later events of its user wait until then', async () => {
    const mine = [
      entry('a', asUserId('ann')),
      entry('b', asUserId('ann')),
      entry('c', asUserId('bob')),
      entry('d', asUserId('ann')),
    ];
    const answer: Answer = (id) => (id === 'event a' ? failed : delivered);
    const { posts, calls, reports } = await run([mine], answer);
    assert.deepEqual(posts.map(([id]) => id).sort(), ['event a', 'event c']);
    const [, { dueAt = 0, behind } = {}] = calls.find(([name]) => name === 'retry') ?? [];
    assert.ok(Number(dueAt) >= noon + 800 && Number(dueAt) <= noon + 1200, `${dueAt}`);
    assert.deepEqual(behind, ['b', 'd'], 'by the same commit');
    assert.deepEqual(calls.map(([name]) => name).sort(), ['finish', 'retry']);
    assert.deepEqual(reports.map(({ outcome, error }) => `${outcome} ${error}`).sort(), [
      'delivered undefined',
      'failed HTTP 500',
    ]);
  });

  it('events of one user are posted one after the other, and those of different users at the same time', async () => {
    let running = 0;
    const most = { ann: 0, all: 0 };
    let ofAnn = 0;
    const answer: Answer = async (id) => {
      running += 1;
      if (id.includes('ann')) ofAnn += 1;
      most.all = Math.max(most.all, running);
      most.ann = Math.max(most.ann, ofAnn);
      await Promise.resolve();
      running -= 1;
      if (id.includes('ann')) ofAnn -= 1;
      return delivered;
    };
    const mine = [
      entry('ann 1', asUserId('ann')),
      entry('bob', asUserId('bob')),
      entry('ann 2', asUserId('ann')),
      entry('nobody'),
    ];
    const { posts } = await run([mine], answer);
    assert.deepEqual(most, { ann: 1, all: 3 });
    assert.deepEqual(
      posts.map(([id]) => id).filter((id) => id.includes('ann')),
      ['event ann 1', 'event ann 2'],
    );
  });

  it('events about no user do not wait for each other', async () => {
    const answer: Answer = (id) => (id === 'event a' ? failed : delivered);
    const { calls } = await run([[entry('a'), entry('b')]], answer);
    assert.deepEqual(calls.map(([name]) => name).sort(), ['finish', 'retry']);
  });

  for (const [what, tries, outcome] of [
    ['that its receiver will never take', 1, { kind: 'hopeless', error: 'HTTP 410' }],
    ['whose last try failed', 13, { kind: 'failed', error: 'HTTP 410' }],
  ] as const) {
    it(`an event ${what} is parked, and the next one of its user is posted`, async () => {
      const answer: Answer = (id) => (id === 'event a' ? outcome : delivered);
      const { calls, reports } = await run(
        [[entry('a', asUserId('ann'), { tries }), entry('b', asUserId('ann'))]],
        answer,
      );
      assert.deepEqual(calls, [
        ['park', { id: 'a', error: 'HTTP 410', now: noon }],
        ['finish', { id: 'b', now: noon }],
      ]);
      assert.deepEqual(
        reports.map((report) => report.outcome),
        ['parked', 'delivered'],
      );
    });
  }

  it('an entry whose event is no longer stored is parked without a post', async () => {
    const { posts, calls } = await run([[entry('a', asUserId('ann'), { event: undefined })]]);
    assert.deepEqual(posts, []);
    assert.deepEqual(calls, [['park', { id: 'a', error: 'the event is no longer stored', now: noon }]]);
  });

  it('an event of a kind that only a newer version knows is retried, and parked after the last try', async () => {
    const strange = { event: eventOf('event a', asUserId('ann'), 'user.merged') };
    const early = await run([[entry('a', asUserId('ann'), strange)]]);
    assert.deepEqual(early.posts, []);
    assert.deepEqual(
      early.calls.map(([name, { error }]) => [name, error]),
      [['retry', 'this version does not know user.merged']],
    );
    const last = await run([[entry('a', asUserId('ann'), { ...strange, tries: 13 })]]);
    assert.deepEqual(
      last.calls.map(([name]) => name),
      ['park'],
    );
  });

  it('the pause is at least as long as the receiver asks for', async () => {
    const { calls } = await run([[entry('a')]], () => ({ ...failed, retryAfterSeconds: 90 }));
    assert.deepEqual(calls, [['retry', { id: 'a', dueAt: noon + 90_000, error: 'HTTP 500', behind: [] }]]);
  });

  it('a turn that ends is followed by a look at once, and a look that finds nothing by a pause', async () => {
    const page = (from: number, count: number) => Array.from({ length: count }, (_, index) => entry(`${from + index}`));
    const { claims, posts } = await run([page(0, 32), page(32, 31), page(63, 1)]);
    assert.equal(posts.length, 64);
    assert.equal(claims.length, 3);
    assert.deepEqual(claims.slice(0, 2), [
      { endpoint: 'endpoint', now: noon, most: 32, mostOfQueue: 32, after: '', except: [], leaseSeconds: 30 },
      { endpoint: 'endpoint', now: noon, most: 32, mostOfQueue: 32, after: 'event 31', except: [], leaseSeconds: 30 },
    ]);
  });

  it('while a post goes on, others get the places that are left, and its user gets none of them', async () => {
    const hanging = Promise.withResolvers<PostOutcome>();
    const answer: Answer = (id) => (id === 'event a' ? hanging.promise : delivered);
    const settle = async () => {
      await turn();
      hanging.resolve(delivered);
      await turn();
    };
    const pages = [
      [entry('a', asUserId('ann')), entry('b', asUserId('bob'))],
      [entry('c', asUserId('cat'))],
      [entry('d', asUserId('dan'))],
    ];
    const { claims, posts, calls } = await run(pages, answer, { settle });
    assert.deepEqual(
      claims.map(({ most, after, except }) => [most, after, except]),
      [
        [32, '', []],
        [31, 'bob', ['ann']],
        [31, 'cat', ['ann']],
      ],
    );
    assert.deepEqual(posts.map(([id]) => id).slice(0, 3), ['event a', 'event b', 'event c']);
    assert.deepEqual(
      calls.map(([name, { id }]) => [name, id]),
      [
        ['finish', 'b'],
        ['finish', 'c'],
        ['finish', 'd'],
        ['finish', 'a'],
      ],
    );
  });

  it('events that are due again join their queues before a claim, however many they are', async () => {
    const { posts } = await run([[entry('a', asUserId('ann'))]], () => delivered, { backs: [512, 512, 7] });
    assert.equal(posts.length, 1);
    const { claims } = await run([], () => delivered, { backs: [512, 0] });
    assert.equal(claims.length, 1);
  });

  it('a post that a stop interrupts is given back without counting, with everything behind it', async () => {
    const answer: Answer = async (_, __, signal) => {
      if (!signal.aborted) await new Promise((resolve) => signal.addEventListener('abort', resolve, { once: true }));
      return failed;
    };
    const { calls, reports } = await run([[entry('a', asUserId('ann')), entry('b', asUserId('ann'))]], answer);
    assert.deepEqual(calls, [['release', { ids: ['a', 'b'], dueAt: noon - 2000 }]]);
    assert.deepEqual(reports, []);
  });

  it('no post begins that might outlast the lease: the events are given back', async () => {
    const { posts, calls } = await run([[entry('a', asUserId('ann')), entry('b', asUserId('ann'))]], () => delivered, {
      changes: { leaseSeconds: 1, sendMilliseconds: 1000 },
    });
    assert.deepEqual(posts, []);
    assert.deepEqual(calls, [['release', { ids: ['a', 'b'], dueAt: noon - 2000 }]]);
  });

  it('a receiver that hangs is ended after the time for one post', async () => {
    const ended = Promise.withResolvers<void>();
    const answer: Answer = (_, __, signal) =>
      new Promise((resolve) =>
        signal.addEventListener(
          'abort',
          () => {
            resolve({ kind: 'failed', error: 'time-out' });
            setImmediate(ended.resolve);
          },
          { once: true },
        ),
      );
    // A time-out by signal does not keep the process alive.
    const alive = setInterval(() => undefined, 1000);
    const { calls } = await run([[entry('a')]], answer, {
      changes: { sendMilliseconds: 2 },
      settle: () => ended.promise,
    });
    clearInterval(alive);
    assert.deepEqual(
      calls.map(([name, { error }]) => [name, error]),
      [['retry', 'time-out']],
    );
  });
});
