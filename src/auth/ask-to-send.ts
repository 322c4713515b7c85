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
  const { wish, brake } = request;
  const askLimits = async () => refuse(await sendRequests.peek({ wish, brake }));
  const spend = await passCaptcha(captcha, caller.captchaToken, caller.ip, askLimits);
  refuse(await sendRequests.request({ ...request, captcha: spend }));
  wakeDelivery();
}

function refuse(refusal: Refusal | undefined): void {
  if (refusal !== undefined) throw new Failure(refusal.code, refusal.detail);
}
