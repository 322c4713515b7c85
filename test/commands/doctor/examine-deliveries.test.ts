// What the doctor says about providers of messages that were left out.
import assert from 'node:assert/strict';
import { it } from 'node:test';
import { judgeDeliveries } from '../../../src/commands/doctor/examine-deliveries.ts';

const event = (kind: 'left-out' | 'taken-back', at: number, country?: string) => ({
  kind: `provider.${kind}`,
  detail: { channel: 'sms', provider: 'twilio', ...(country !== undefined && { country }) },
  at,
});

it('providers that were never left out need no line', () => assert.deepEqual(judgeDeliveries([]), []));

it('a provider that was taken back is good, and the times are told', () => {
  const findings = judgeDeliveries([event('taken-back', 2), event('left-out', 1)]);
  assert.deepEqual(findings, [
    { name: 'delivery', state: 'good', detail: 'providers were left out 1 times in 24 hours, and taken back' },
  ]);
});

it('a provider that is left out is doubtful, also for one country', () => {
  const findings = judgeDeliveries([event('left-out', 3), event('taken-back', 2), event('left-out', 1, 'FR')]);
  assert.deepEqual(
    findings.map(({ state, detail }) => `${state} ${detail.replace(/ at .* and/, ' and')}`),
    [
      'doubtful sms twilio for FR was left out and not taken back since',
      'doubtful sms twilio was left out and not taken back since',
    ],
  );
});
