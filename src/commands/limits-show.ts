// The command `limits show`: what holds a recipient or a caller back, and for how long.
import { maskSubject } from '../support/recipient-limits.ts';
import { showLimits } from '../support/show-limits.ts';
import type { Verb } from './operator-context.ts';
import { readSubject } from './read-subject.ts';
import { isoTime, writeTable, writeTime } from './write-text.ts';

export const limitsShow: Verb = async (context, [whom = '']) => {
  const subject = readSubject(whom);
  const { limits, clock } = await context.open();
  const { sends, otp, brake } = context.config();
  const found = await showLimits({ limits, clock, sends, otp, brake }, subject);
  const data = found.map(({ kind: _, lastAt, ...limit }) => ({ ...limit, lastAt: isoTime(lastAt) }));
  const rows = found.map(({ name, hits, lastAt, blockedSeconds }) => [
    name,
    hits,
    writeTime(lastAt),
    blockedSeconds === 0 ? 'open' : `blocked for ${blockedSeconds} s`,
  ]);
  context.show({ whom: maskSubject(subject), limits: data }, writeTable(['limit', 'counted', 'last', 'now'], rows));
  return 0;
};
