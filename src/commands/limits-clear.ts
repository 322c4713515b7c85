// The command `limits clear`: forgets what holds a recipient or a caller back.
import { clearLimits } from '../support/clear-limits.ts';
import { maskSubject } from '../support/recipient-limits.ts';
import type { Verb } from './desk.ts';
import { readSubject } from './read-subject.ts';

export const limitsClear: Verb = async (desk, [whom = '']) => {
  const by = desk.act();
  const subject = readSubject(whom);
  const { limits, clock } = await desk.open();
  const { sends, otp, brake } = desk.config();
  const cleared = await clearLimits({ limits, clock, sends, otp, brake, secrets: desk.secrets() }, { subject, by });
  const named = maskSubject(subject);
  desk.show({ whom: named, cleared }, cleared === 0 ? `Nothing held ${named} back.` : `${named} may try again.`);
  return 0;
};
