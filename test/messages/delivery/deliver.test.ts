// The delivery worker: which provider gets a message, what each outcome makes of it, and what is reported.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Channel } from '../../../src/messages/channel.ts';
import { type DeliveryParts, deliveryTimes, startDelivery } from '../../../src/messages/delivery/deliver.ts';
import type { DeliveryEvent } from '../../../src/messages/delivery/deliver-message.ts';
import type { OutgoingMessage, Sender, SendOutcome } from '../../../src/messages/delivery/sender.ts';
import type { ClaimedMessage, OutboxStore, SentMessage } from '../../../src/messages/outbox.ts';

const noon = Date.UTC(2031, 4, 5, 12);
const times = { ...deliveryTimes, pollMilliseconds: 5000 };

const claimed: ClaimedMessage = {
  id: 'message',
  channel: 'sms',
  kind: 'phone-login',
  payload: {
    to: '+12025550123',
    language: 'en',
    challenge: { id: 'id', nonce: 'nonce', secretId: 'abcd' },
    expiresAt: noon + 60_000,
  },
  createdAt: noon - 2000,
  expiresAt: noon + 60_000,
  tries: 0,
  doubts: 0,
  heldUntil: noon + 19_000,
};
const outgoing: OutgoingMessage = { id: 'message', to: '+12025550123', text: 'code', createdAt: noon - 2000 };
const described = { channel: 'sms', kind: 'phone-login', to: '+12•••23', recipient: 'mark of +12025550123' };

const unreported = {
  onEnd: () => undefined,
  onEmpty: () => undefined,
  onShut: () => undefined,
  onProvider: () => undefined,
  countryOf: () => undefined,
};

type Call = readonly [name: string, input: unknown];

/** Hands out the given messages once, and writes down what the worker does with them. */
function createOutbox(messages: readonly ClaimedMessage[], onCall: (name: string) => void, isHeld = true) {
  const waiting = [...messages];
  const claims: unknown[] = [];
  const calls: Call[] = [];
  const note = (name: string) => async (input: unknown) => {
    onCall(name);
    calls.push([name, input]);
  };
  const outbox: OutboxStore = {
    claim: async (input) => {
      claims.push(input);
      const mine = waiting.filter(({ channel }) => channel === input.channel).slice(0, input.most);
      for (const message of mine) waiting.splice(waiting.indexOf(message), 1);
      return mine;
    },
    claimExpired: async () => [],
    finish: note('finish'),
    finishSent: note('finishSent'),
    giveBack: note('giveBack'),
    begin: async (begun) => {
      await note('begin')(begun.map(({ id, heldUntil }) => `${id} ${heldUntil - noon}`).join());
      return begun.map(() => isHeld);
    },
    retry: note('retry'),
    park: note('park'),
    setAside: async () => 0,
    measure: async () => ({ waiting: 0, parked: 0, oldestAt: undefined }),
  };
  return { outbox, claims, calls };
}

function sender(name: string, answer: SendOutcome | Error, channel: Channel = 'sms'): Sender {
  const send = async () => {
    if (answer instanceof Error) throw answer;
    return answer;
  };
  return { name, channel, send };
}

type Given = {
  readonly message?: Partial<ClaimedMessage>;
  readonly sms?: readonly Sender[];
  readonly write?: DeliveryParts['write'];
  readonly onCall?: (name: string) => void;
  /** Whether the node holds the message when it begins. */
  readonly isHeld?: boolean;
};

/** Delivers one message, and tells what was done and reported. */
async function deliver({ message = {}, sms = [], isHeld = true, ...given }: Given) {
  const { write = async () => outgoing, onCall = () => undefined } = given;
  const { outbox, claims, calls } = createOutbox([{ ...claimed, ...message }], onCall, isHeld);
  const reports: DeliveryEvent[] = [];
  const parts: DeliveryParts = {
    outbox,
    clock: { now: () => noon },
    senders: { sms, mail: [] },
    write,
    report: (event) => reports.push(event),
    mark: (recipient) => `mark of ${recipient}`,
    ...unreported,
  };
  const delivery = startDelivery(parts, times);
  await new Promise((resolve) => setImmediate(resolve));
  await delivery.stop();
  return { claims, calls, reports };
}

const accepted = { kind: 'accepted' } as const;
const refused = { kind: 'refused', error: 'busy' } as const;
const ofRecipient = { kind: 'refused', error: 'SMTP 450', isOfRecipient: true } as const;
const doubtful = { kind: 'doubtful', error: 'time-out' } as const;
const hopeless = { kind: 'hopeless', error: 'no such number' } as const;

const heldUntil = noon + 20_000;
const begun: Call = ['begin', 'message 19000'];
/** Begun a second time, under the lease of the first. */
const begunAgain: Call = ['begin', 'message 20000'];
const retried = (error: string, isDoubtful = false, isAboutRecipient = false): Call => [
  'retry',
  { id: 'message', heldUntil, dueAt: noon + 1000, error, isTry: true, isDoubtful, isAboutRecipient, isOutage: true },
];
const parked = (error: string, until = heldUntil): Call => [
  'park',
  { id: 'message', heldUntil: until, error, isDoubtful: false, isAboutRecipient: false, detail: described, now: noon },
];
const untakable: Call = [
  'park',
  {
    id: 'message',
    heldUntil,
    error: 'no such number',
    isDoubtful: false,
    isAboutRecipient: true,
    detail: described,
    now: noon,
  },
];
const unknown: Call = [
  'park',
  {
    id: 'message',
    heldUntil,
    error: 'time-out',
    isDoubtful: true,
    isAboutRecipient: false,
    detail: described,
    now: noon,
  },
];
const sentBy = (provider: string): Call => [
  'finishSent',
  [{ id: 'message', detail: { ...described, provider }, now: noon }],
];

describe('the delivery worker', () => {
  const cases: [what: string, outcomes: SendOutcome[], asked: string, then: Call[]][] = [
    ['is finished with the name of the provider that accepts it', [accepted], '0', [begun, sentBy('0')]],
    ['goes to the next provider if one refuses', [refused, accepted], '01', [begun, sentBy('1')]],
    ['goes to the next provider if one will never take it', [hopeless, accepted], '01', [begun, sentBy('1')]],
    ['is begun again before the next provider', [doubtful, accepted], '01', [begun, begunAgain, sentBy('1')]],
    ['may leave twice', [refused, doubtful, accepted], '012', [begun, begunAgain, sentBy('2')]],
    ['is parked after the second doubt', [doubtful, doubtful, accepted], '01', [begun, begunAgain, unknown]],
    ['is retried after one doubt', [refused, doubtful], '01', [begun, retried('time-out', true)]],
    [
      'is retried if it may have left before',
      [doubtful, hopeless],
      '01',
      [begun, begunAgain, retried('time-out', false, true)],
    ],
    ['is retried if all refuse', [refused, { ...refused, error: 'off' }], '01', [begun, retried('off')]],
    ['is retried if the next will never take it', [refused, hopeless], '01', [begun, retried('busy', false, true)]],
    ['is retried if the first will never take it', [hopeless, refused], '01', [begun, retried('busy', false, true)]],
    ['is retried if one refuses its recipient', [ofRecipient, refused], '01', [begun, retried('busy', false, true)]],
    ['is parked if no provider will ever take it', [hopeless, hopeless], '01', [begun, untakable]],
  ];
  for (const [what, outcomes, asked, then] of cases) {
    it(`a message ${what}`, async () => {
      const { calls, reports } = await deliver({ sms: outcomes.map((outcome, index) => sender(`${index}`, outcome)) });
      assert.deepEqual(calls, then);
      const attempts = reports.filter(({ provider }) => provider !== 'outbox');
      assert.deepEqual(
        attempts.map(({ provider, outcome, seconds, error }) => ({ provider, outcome, seconds, error })),
        outcomes.slice(0, asked.length).map((outcome, index) => ({
          provider: `${index}`,
          outcome: outcome.kind,
          seconds: 2,
          error: outcome.kind === 'accepted' ? undefined : outcome.error,
        })),
      );
    });
  }

  it('a message without a provider is retried and never begun', async () => {
    const { calls } = await deliver({});
    const retry = { id: 'message', heldUntil: noon + 19_000, dueAt: noon + 1000, error: 'no provider' };
    assert.deepEqual(calls, [
      ['retry', { ...retry, isTry: true, isDoubtful: false, isAboutRecipient: false, isOutage: true }],
    ]);
  });

  it('no provider is asked for a message that another node holds by now', async () => {
    const { calls, reports } = await deliver({ sms: [sender('a', accepted)], isHeld: false });
    assert.deepEqual([calls, reports], [[begun], []]);
  });

  it('no provider is asked while it cannot be written down that the message begins', async () => {
    const onCall = (name: string) => {
      if (name === 'begin') throw new RangeError('no store');
    };
    const { reports } = await deliver({ sms: [sender('a', accepted)], onCall });
    assert.deepEqual(
      reports.map(({ provider, outcome, error }) => [provider, outcome, error]),
      [['outbox', 'failed', 'RangeError']],
    );
  });

  it('a code that may have left once begins with the second provider', async () => {
    const { calls } = await deliver({
      message: { doubts: 1 },
      sms: [sender('a', accepted), sender('b', accepted)],
    });
    assert.deepEqual(calls, [begun, sentBy('b')]);
  });

  for (const [what, message, error] of [
    ['has expired', { expiresAt: noon }, 'expired before it could be sent'],
    ['was in doubt twice', { doubts: 2 }, 'sent twice without a known outcome'],
  ] as const) {
    it(`a message that ${what} is parked without asking a provider`, async () => {
      const { calls, reports } = await deliver({ message, sms: [sender('a', accepted)] });
      assert.deepEqual(calls, [parked(error, noon + 19_000)]);
      assert.deepEqual(reports, [{ channel: 'sms', provider: 'outbox', outcome: 'parked', seconds: 2, error }]);
    });
  }

  it('a message that was refused before is finished as a late one', async () => {
    const { calls } = await deliver({ message: { isLate: true }, sms: [sender('0', accepted)] });
    const sent = { id: 'message', detail: { ...described, provider: '0' }, now: noon, isLate: true };
    assert.deepEqual(calls, [begun, ['finishSent', [sent]]]);
  });

  it('a message is parked when its last try is refused', async () => {
    const { calls } = await deliver({ message: { tries: 5 }, sms: [sender('a', refused)] });
    assert.deepEqual(calls, [begun, parked('busy')]);
  });

  it('a notice goes on after its sixth try, and after a doubt once a while has passed', async () => {
    const payload = {
      to: '+12025550123',
      language: 'en',
      topic: 'phone-changed',
      link: { secretId: 'abcd', nonce: 'n' },
    };
    const notice = { kind: 'notice-sms', payload };
    const { calls } = await deliver({ message: { ...notice, tries: 5 }, sms: [sender('a', refused)] });
    const retry = { id: 'message', heldUntil, dueAt: noon + 900_000, isTry: true };
    assert.deepEqual(calls, [
      begun,
      ['retry', { ...retry, error: 'busy', isDoubtful: false, isAboutRecipient: false, isOutage: true }],
    ]);
    const inDoubt = await deliver({ message: notice, sms: [sender('a', doubtful), sender('b', accepted)] });
    assert.deepEqual(inDoubt.calls, [
      begun,
      ['retry', { ...retry, error: 'time-out', isDoubtful: true, isAboutRecipient: false, isOutage: true }],
    ]);
  });

  it('a message that waited in memory for half its lease is given back and not sent', async () => {
    const message = { heldUntil: noon + 9999 };
    const { calls, reports } = await deliver({ message, sms: [sender('a', accepted)] });
    assert.deepEqual(calls, [['giveBack', [{ ...claimed, ...message }]]]);
    assert.deepEqual(reports, []);
  });

  it('messages that are handed over are sent without a claim, finished together, and leave memory', async () => {
    const { outbox, claims, calls } = createOutbox([], () => undefined);
    const ended: [Channel, number][] = [];
    const parts: DeliveryParts = {
      outbox,
      clock: { now: () => noon },
      senders: { sms: [sender('a', accepted)], mail: [sender('b', refused, 'mail')] },
      write: async () => outgoing,
      report: () => undefined,
      mark: (recipient) => recipient,
      ...unreported,
      onEnd: (...given) => ended.push(given),
    };
    const delivery = startDelivery(parts, times);
    await new Promise((resolve) => setImmediate(resolve));
    delivery.deliver([
      { ...claimed, id: 'one' },
      { ...claimed, id: 'two' },
      { ...claimed, id: 'three', channel: 'mail' },
    ]);
    await delivery.stop();
    assert.equal(claims.length, 2);
    const finished = calls.filter(([name]) => name === 'finishSent').map(([, input]) => input as SentMessage[]);
    assert.deepEqual(
      finished.map((sent) => sent.map(({ id }) => id)),
      [['one', 'two']],
    );
    assert.deepEqual(
      calls.filter(([name]) => name === 'retry').map(([, input]) => (input as SentMessage).id),
      ['three'],
    );
    assert.deepEqual(ended.map(([channel, count]) => `${channel} ${count}`).toSorted(), ['mail 1', 'sms 1', 'sms 1']);
  });

  it('the inbox keeps a message in the commit that finishes it, and announces it after that', async () => {
    const steps: string[] = [];
    const inbox: Sender = {
      name: 'inbox',
      channel: 'sms',
      send: () => assert.fail('sent'),
      announce: ({ id }) => steps.push(`announce ${id}`),
    };
    const { calls } = await deliver({ sms: [inbox], onCall: (name) => steps.push(name) });
    const kept = { ...outgoing, channel: 'sms' };
    assert.deepEqual(calls, [
      ['finishSent', [{ id: 'message', detail: { ...described, provider: 'inbox' }, now: noon, kept }]],
    ]);
    assert.deepEqual(steps, ['finishSent', 'announce message']);
  });

  it('the inbox announces nothing that could not be kept', async () => {
    const inbox: Sender = {
      name: 'inbox',
      channel: 'sms',
      send: () => assert.fail('sent'),
      announce: () => assert.fail('announced'),
    };
    const onCall = () => {
      throw new RangeError('no store');
    };
    const { reports } = await deliver({ sms: [inbox], onCall });
    assert.deepEqual(
      reports.map(({ outcome }) => outcome),
      ['failed'],
    );
  });

  it('a message that is not to be sent is removed and counted as dropped', async () => {
    const { calls, reports } = await deliver({ write: async () => undefined, sms: [sender('a', accepted)] });
    assert.deepEqual(calls, [['finish', 'message']]);
    assert.deepEqual(reports, [{ channel: 'sms', provider: 'outbox', outcome: 'dropped', seconds: 2 }]);
  });

  it('a message of a kind that only a newer version knows is retried without asking anybody, and parked at the last try', async () => {
    const early = await deliver({ message: { kind: 'phone-change' } });
    assert.deepEqual(
      early.calls.map(([name]) => name),
      ['retry'],
    );
    assert.deepEqual(
      early.reports.map(({ outcome, error }) => [outcome, error]),
      [['failed', 'Error']],
    );
    const last = await deliver({ message: { kind: 'phone-change', tries: 5 } });
    assert.deepEqual(
      last.calls.map(([name]) => name),
      ['park'],
    );
  });

  it('a message whose text cannot be written is reported by the name of the error, never by its text', async () => {
    const write = async () => Promise.reject(new TypeError('the text for +12025550123'));
    const { calls, reports } = await deliver({ write });
    assert.deepEqual(
      calls.map(([name]) => name),
      ['retry'],
    );
    assert.deepEqual(reports, [
      { channel: 'sms', provider: 'outbox', outcome: 'failed', seconds: 2, error: 'TypeError' },
    ]);
    const odd = await deliver({ write: async () => Promise.reject('a text instead of an error') });
    assert.equal(odd.reports[0]?.error, 'unknown error');
  });

  it('a failing store is reported and ends nothing, also after a provider accepted the message', async () => {
    const onCall = (name: string) => {
      if (name !== 'begin') throw new RangeError('no store');
    };
    const { reports } = await deliver({ onCall, sms: [sender('a', accepted)] });
    assert.deepEqual(
      reports.map(({ outcome }) => outcome),
      ['accepted', 'failed'],
    );
  });

  it('each channel claims its own messages under the lease, as many as run at once', async () => {
    const { claims } = await deliver({ sms: [sender('a', accepted)] });
    const claim = { now: noon, most: 32, leaseSeconds: 20 };
    assert.deepEqual(claims.slice(0, 2), [
      { channel: 'sms', ...claim },
      { channel: 'mail', ...claim },
    ]);
  });

  it('a provider that hangs is ended after the time for one attempt', async () => {
    const hanging: Sender = {
      name: 'a',
      channel: 'sms',
      send: (_, signal) =>
        new Promise((resolve) => signal.addEventListener('abort', () => resolve(doubtful), { once: true })),
    };
    const { outbox, calls } = createOutbox([claimed], () => undefined);
    const parts: DeliveryParts = {
      outbox,
      clock: { now: () => noon },
      senders: { sms: [hanging], mail: [] },
      write: async () => outgoing,
      report: () => undefined,
      mark: (recipient) => recipient,
      ...unreported,
    };
    const delivery = startDelivery(parts, { ...times, sendMilliseconds: 2, lastSendMilliseconds: 2 });
    await new Promise((resolve) => setImmediate(resolve));
    // A time-out by signal does not keep the process alive.
    const alive = setInterval(() => undefined, 1000);
    await delivery.stop();
    clearInterval(alive);
    assert.deepEqual(calls, [begun, retried('time-out', true)]);
  });

  it('waking one channel asks for its messages, and waking without a name asks for those of all', async () => {
    const asked: Channel[] = [];
    const { outbox } = createOutbox([], () => undefined);
    const claim: OutboxStore['claim'] = async ({ channel }) => {
      asked.push(channel);
      return [];
    };
    const parts: DeliveryParts = {
      outbox: { ...outbox, claim },
      clock: { now: () => noon },
      senders: { sms: [], mail: [] },
      write: async () => undefined,
      report: () => undefined,
      mark: (recipient) => recipient,
      ...unreported,
    };
    const delivery = startDelivery(parts, times);
    const wakes: [Channel | undefined, Channel[]][] = [
      ['mail', ['mail']],
      ['sms', ['sms']],
      [undefined, ['sms', 'mail']],
    ];
    for (const [channel, expected] of wakes) {
      await new Promise((resolve) => setImmediate(resolve));
      asked.length = 0;
      delivery.wake(channel);
      await new Promise((resolve) => setImmediate(resolve));
      assert.deepEqual(asked, expected);
    }
    await delivery.stop();
  });
});
