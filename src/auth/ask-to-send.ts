// The shared step of endpoints 1, 3 and 4: limits, captcha, then one commit that opens and queues.
import { passCaptcha } from '../guard/captcha.ts';
import { Failure } from '../kernel/failure.ts';
import type { AuthDeps } from './deps.ts';
import type { Refusal, SendRequest } from './send-request.ts';

type Deps = Pick<AuthDeps, 'captcha' | 'sendRequests' | 'wakeDelivery'>;

export async function askToSend(
  { captcha, sendRequests, wakeDelivery }: Deps,
  caller: { captchaToken: string; ip: string },
  request: Omit<SendRequest, 'captcha'>,
): Promise<void> {
  const { wish, brake, now } = request;
  const refuse = async (refusal: Refusal | undefined) => {
    if (refusal === undefined) return;
    const { code, detail, rule } = refusal;
    const until = now + (detail.retryAfterSeconds ?? 0) * 1000;
    if (rule !== undefined && brake !== undefined)
      await sendRequests.noteSuspension({ rule, country: brake.country, until, now });
    throw new Failure(code, detail);
  };
  const askLimits = async () => refuse(await sendRequests.peek({ wish, brake }));
  const spend = await passCaptcha(captcha, caller.captchaToken, caller.ip, askLimits);
  await refuse(await sendRequests.request({ ...request, captcha: spend }));
  if (request.message !== undefined) wakeDelivery(request.message.channel);
}
