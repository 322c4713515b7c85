// The shared step of endpoints 1, 3 and 4: checks the captcha, then checks limits and queues the message in one commit.
import { passCaptcha } from '../abuse/captcha.ts';
import { Failure } from '../kernel/failure.ts';
import type { AuthDeps } from './deps.ts';
import type { SendRefusal, SendRequest, UnpaidRequest } from './send-request.ts';

type Deps = Pick<AuthDeps, 'captcha' | 'sendRequests' | 'wakeDelivery'>;

export async function askToSend(
  { captcha, sendRequests, wakeDelivery }: Deps,
  caller: { captchaToken: string; ip: string },
  request: UnpaidRequest,
): Promise<void> {
  const spend = await passCaptcha(captcha, caller.captchaToken, caller.ip);
  const refusal = await sendRequests.request({ ...request, captcha: spend });
  if (refusal !== undefined) {
    await noteSuspension(sendRequests, request, refusal);
    throw new Failure(refusal.code, refusal.detail);
  }
  if (request.message !== undefined) wakeDelivery(request.message.channel);
}

async function noteSuspension(
  sendRequests: Deps['sendRequests'],
  { brake, now }: Pick<SendRequest, 'brake' | 'now'>,
  { rule, detail }: SendRefusal,
): Promise<void> {
  if (rule === undefined || brake === undefined) return;
  const until = now + (detail.retryAfterSeconds ?? 0) * 1000;
  await sendRequests.noteSuspension({ rule, country: brake.country, until, now });
}
