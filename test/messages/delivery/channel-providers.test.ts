// The providers of a channel: which one is asked, for which country one is left out, how many messages may begin, and what a kill or a hang may cost.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import {
  createChannelProviders,
  type ProviderChange,
  type Turn,
} from '../../../src/messages/delivery/channel-providers.ts';
import type { Sender, SendOutcome } from '../../../src/messages/delivery/sender.ts';
import { noon } from '../../helpers/store/fixtures.ts';

const accepted = { kind: 'accepted' } as const;
const failed = { kind: 'refused', error: 'HTTP 500' } as const;

/** The first two digits of a number stand for its country. */
function openProviders(senders: readonly Partial<Sender>[]) {
  let now = noon;
  const changes: ProviderChange[] = [];
  const providers = createChannelProviders({
    channel: 'sms',
    senders: senders.map((sender, index) => ({
      name: 'ab'[index] ?? '',
      channel: 'sms',
      send: () => assert.fail('asked'),
      ...sender,
    })),
    clock: { now: () => now },
    countryOf: (to) => to.slice(0, 2),
    onChange: (change) => changes.push(change),
    sendMilliseconds: { usual: 4000, last: 15_000 },
  });
  const take = (to = '49', doubts = 0, asked: readonly Turn[] = [], tries = 0) =>
    providers.take({ to, tries, doubts, asked: new Set(asked.map(({ sender }) => sender)) });
  const turn = (...given: Parameters<typeof take>): Turn => {
    const taken = take(...given);
    return taken !== undefined && 'sender' in taken ? taken : assert.fail('nobody to ask');
  };
  const send = (outcome: SendOutcome, to = '49', tries = 0) => {
    const taken = turn(to, 0, [], tries);
    taken.end(outcome);
    return taken.sender.name;
  };
  const pass = (milliseconds: number) => {
    now += milliseconds;
  };
  const reports = () => changes.map(({ provider, country, state }) => [provider, country, state].join(' '));
  return { providers, take, turn, send, pass, reports };
}

describe('the providers of a channel', () => {
  it('asks the first provider, and after it the next, until all were asked', () => {
    const { take, turn } = openProviders([{}, {}]);
    const first = turn();
    const second = turn('49', 0, [first]);
    assert.deepEqual(
      [first, second].map(({ sender, milliseconds }) => [sender.name, milliseconds]),
      [
        ['a', 4000],
        ['b', 15_000],
      ],
    );
    assert.equal(take('49', 0, [first, second]), undefined);
    assert.equal(turn('49', 1).sender.name, 'b');
  });

  it('waits longer for the only provider', () => assert.equal(openProviders([{}]).turn().milliseconds, 15_000));

  it('leaves a provider out that fails, probes it with one message, and takes it back', () => {
    const { send, turn, pass, reports } = openProviders([{}, {}]);
    for (let count = 0; count < 3; count++) assert.equal(send(failed), 'a');
    assert.equal(send(accepted), 'b');
    pass(1000);
    const probe = turn();
    assert.deepEqual([probe.sender.name, send(accepted)], ['a', 'b']);
    probe.end(accepted);
    assert.equal(send(accepted), 'a');
    assert.deepEqual(reports(), ['a  open', 'a  closed']);
  });

  it('a message that waited for one provider is no probe of another', () => {
    const { send, turn, pass } = openProviders([{}, {}]);
    for (let count = 0; count < 3; count++) send(failed);
    pass(1000);
    assert.equal(turn('49', 2).sender.name, 'b');
  });

  it('notices a hang before the first time-out, and asks the next at once', () => {
    const { turn, send, pass } = openProviders([{}, {}]);
    for (let count = 0; count < 5; count++) {
      const taken = turn();
      pass(200);
      taken.end(accepted);
    }
    for (let count = 0; count < 3; count++) turn();
    pass(999);
    assert.equal(turn().sender.name, 'a');
    pass(1);
    assert.equal(send(accepted), 'b');
  });

  it('leaves a provider out for one country while it serves others', () => {
    const { send, pass, reports } = openProviders([{}, {}]);
    for (let count = 0; count < 3; count++) {
      assert.equal(send(failed, '33'), 'a');
      assert.equal(send(accepted, '49'), 'a');
    }
    assert.deepEqual([send(accepted, '33'), send(accepted, '49')], ['b', 'a']);
    pass(1000);
    assert.deepEqual([send(accepted, '33'), send(accepted, '33')], ['a', 'a']);
    assert.deepEqual(reports(), ['a 33 open', 'a 33 closed']);
  });

  it('refusals that are about recipients leave it out nowhere, and take it back as a probe', () => {
    const { send, pass, reports } = openProviders([{}, {}]);
    const refused = { ...failed, isOfRecipient: true } as const;
    for (let count = 0; count < 20; count++) assert.equal(send(refused), 'a');
    assert.deepEqual(reports(), []);
    for (let count = 0; count < 3; count++) send(failed);
    pass(1000);
    assert.deepEqual([send(refused), send(refused)], ['a', 'a']);
  });

  it('counts a message that fails once, however often it is tried again', () => {
    const { send, reports } = openProviders([{}, {}]);
    for (let count = 0; count < 20; count++) assert.equal(send(failed, '49', count), 'a');
    assert.deepEqual(reports(), []);
    send(failed);
    send(failed);
    assert.deepEqual(reports(), ['a  open']);
  });

  it('obeys a provider that asks to wait', () => {
    const { send, providers, take, pass, reports } = openProviders([{}]);
    send({ ...failed, waitMilliseconds: 5000 });
    assert.deepEqual(
      [providers.isShut(), providers.room(0), take()],
      [true, 0, { isOutage: false, waitUntil: noon + 5000 }],
    );
    pass(5000);
    assert.deepEqual([providers.isShut(), providers.room(0)], [false, 32]);
    assert.equal(providers.isOutage(), false);
    assert.deepEqual(reports(), ['a  paused', 'a  closed']);
  });

  it('has room for single probes while every provider is left out', () => {
    const { send, providers, take, turn, pass } = openProviders([{}, {}]);
    assert.equal(providers.isOutage(), false);
    for (let count = 0; count < 6; count++) send(failed);
    assert.deepEqual([providers.isShut(), providers.isOutage(), providers.room(0)], [true, true, 0]);
    assert.deepEqual(take(), { isOutage: true, waitUntil: noon + 1000 });
    pass(1000);
    assert.equal(providers.room(0), 1);
    turn();
    turn();
    assert.equal(providers.room(2), 0);
    assert.ok(providers.rest() > 0 && providers.rest() <= 1000);
  });

  it('has room for what the window and the announced rate allow, also beside sends that hang', () => {
    assert.deepEqual(
      [openProviders([{}]).providers.room(3), openProviders([{ mostAtOnce: 32 }, {}]).providers.room(0)],
      [29, 64],
    );
    assert.equal(openProviders([{ rate: 50 }]).providers.room(0), 6);
    const { providers, turn, pass } = openProviders([{}, {}]);
    for (let count = 0; count < 32; count++) turn();
    pass(4000);
    assert.equal(providers.room(32), 32);
  });

  it('has twice the room after each round trip of messages that fill it, also when all leave and end together', () => {
    const { providers, turn, pass } = openProviders([{}]);
    for (const room of [32, 64, 128, 256, 512, 512]) {
      assert.equal(providers.room(0), room);
      const turns = Array.from({ length: room }, () => turn());
      pass(2000);
      for (const { end } of turns) end(accepted);
    }
  });

  it('a turn that was not used leaves no trace', () => {
    const { providers, turn } = openProviders([{}]);
    turn().release();
    assert.equal(providers.room(0), 32);
  });
});
