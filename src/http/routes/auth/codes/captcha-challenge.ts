// GET /api/auth/captcha/challenge: a signed challenge, if the built-in captcha is configured.
import type { Captcha } from '../../../../abuse/captcha.ts';
import { Failure } from '../../../../kernel/failure.ts';
import { defineRoute } from '../../../interface/route.ts';
import { anyObject } from '../../../interface/schema.ts';

export function captchaChallengeRoute({ captcha }: { captcha: Captcha }) {
  return defineRoute({
    summary: 'Get a captcha challenge',
    description: 'Returns a signed proof-of-work challenge. Returns 404 if another captcha, or none, is configured.',
    success: 'CAPTCHA_CHALLENGE',
    failures: ['NOT_FOUND'],
    data: anyObject(),
    handle: async () => {
      if (captcha.challenge === undefined) throw new Failure('NOT_FOUND');
      return { data: await captcha.challenge() };
    },
  });
}
