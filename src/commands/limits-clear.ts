// The command `limits clear`: forgets what holds a recipient or a caller back.
import { clearLimits } from '../support/clear-limits.ts';
import { maskSubject } from '../support/recipient-limits.ts';
import type { Verb } from './operator-context.ts';
import { readSubject } from './read-subject.ts';

export const limitsClear: Verb = async (context, [whom = '']) => {
  const by = context.act();
  const subject = readSubject(whom);
  const { limits, clock } = await context.open();
  const { sends, otp, brake } = context.config();
  const cleared = await clearLimits({ limits, clock, sends, otp, brake, secrets: context.secrets() }, { subject, by });
  const named = maskSubject(subject);
  context.show({ whom: named, cleared }, cleared === 0 ? `Nothing held ${named} back.` : `${named} may try again.`);
  return 0;
};
