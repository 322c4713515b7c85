// What readers see of the standings of all nodes: which count, and how they become one list.
import assert from 'node:assert/strict';
import { it } from 'node:test';
import { isCurrent, keptSince, mergeStandings, type Omission } from '../../../src/messages/delivery/node-standing.ts';

const now = Date.UTC(2131, 4, 5, 12);

const out = (provider: string, ago: number, country?: string): Omission => ({
  channel: provider === 'smtp' ? 'mail' : 'sms',
  provider,
  ...(country !== undefined && { country }),
  since: now - ago,
});

const merge = (...nodes: readonly (readonly Omission[])[]) =>
  mergeStandings(
    nodes.map((omissions, index) => ({ node: `node ${index}`, omissions, seenAt: now - index })),
    now,
  ).map(({ channel, provider, countries, nodes: count, since }) =>
    [channel, provider, countries.join('+') || 'all', count, now - since].join(' '),
  );

for (const [what, nodes, expected] of [
  ['nobody tells of anything', [], []],
  ['one node of several', [[], [out('twilio', 5)], []], ['sms twilio all 1 5']],
  ['two nodes, since the first of them', [[out('twilio', 5)], [out('twilio', 9)]], ['sms twilio all 2 9']],
  [
    'several providers, in the same order whoever tells first',
    [[out('vonage', 1)], [out('twilio', 2), out('smtp', 3)]],
    ['mail smtp all 1 3', 'sms twilio all 1 2', 'sms vonage all 1 1'],
  ],
  [
    'countries of several nodes are one line, and each is named once',
    [[out('twilio', 5, 'PL'), out('twilio', 7, 'FR')], [out('twilio', 6, 'FR')]],
    ['sms twilio FR+PL 2 7'],
  ],
  [
    'nodes that differ: left out as a whole on one, for a country on another',
    [[out('twilio', 5)], [out('twilio', 8, 'FR')]],
    ['sms twilio all 1 5', 'sms twilio FR 1 8'],
  ],
] as [string, Omission[][], string[]][])
  it(`providers that are left out: ${what}`, () => assert.deepEqual(merge(...nodes), expected));

it('a standing counts for half a minute, also after a clock was set back, and goes after a day', () => {
  for (const [seenAt, expected] of [
    [now, true],
    [now - 29_999, true],
    [now - 30_000, false],
    [now + 29_999, true],
    [now + 30_000, false],
  ] as const)
    assert.equal(isCurrent({ seenAt }, now), expected, String(seenAt - now));
  const ended = { node: 'a', omissions: [out('twilio', 5)], seenAt: now - 30_000 };
  assert.deepEqual(mergeStandings([ended], now), []);
  assert.equal(now - keptSince(now), 86_400_000);
});
