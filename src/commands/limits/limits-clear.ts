// The command `limits clear`: clears the rate limits of a recipient or a caller.
import { clearLimits } from '../../support/clear-limits.ts';
import { maskSubject } from '../../support/recipient-limits.ts';
import type { Command } from '../declarations.ts';
import { readSubject } from './read-subject.ts';

export const limitsClear: Command<'limits clear'> = async (context, { whom, reason }) => {
  const by = context.act(reason);
  const subject = readSubject(whom);
  const { limits, clock } = await context.open();
  const { sends, otp, brake } = context.config();
  const cleared = await clearLimits({ limits, clock, sends, otp, brake, secrets: context.secrets() }, { subject, by });
  const named = maskSubject(subject);
  context.show({ whom: named, cleared }, cleared === 0 ? `No limit blocked ${named}.` : `${named} may try again.`);
  return 0;
};
