// What the doctor says about providers of messages that nodes leave out.
import assert from 'node:assert/strict';
import { it } from 'node:test';
import { judgeLeftOut } from '../../../src/commands/doctor/examine-deliveries.ts';

const leftOut = { channel: 'sms', provider: 'twilio', countries: [], nodes: 2, since: Date.UTC(2031, 4, 5) } as const;

for (const [what, provider, detail] of [
  ['a provider', leftOut, 'sms twilio is left out on 2 nodes since 2031-05-05T00:00:00.000Z'],
  [
    'a provider for some countries',
    { ...leftOut, countries: ['FR', 'PL'], nodes: 1 },
    'sms twilio is left out for FR, PL on 1 node since 2031-05-05T00:00:00.000Z',
  ],
] as const)
  it(`${what} that is left out is doubtful, with nodes and time`, () => {
    const finding = judgeLeftOut(provider);
    assert.deepEqual(
      [finding.name, finding.state, finding.detail],
      ['delivery', 'doubtful', `${detail}: it fails, hangs or asked to wait`],
    );
    assert.match(finding.cure ?? '', /^ask the provider/);
  });
