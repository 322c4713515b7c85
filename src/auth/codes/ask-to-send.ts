// The step that every request for a code or a link shares: the captcha, then limits and the queued message in one commit.
import { passCaptcha } from '../../abuse/captcha.ts';
import { failureFrom } from '../../kernel/failure.ts';
import { holdMessage } from '../../messages/outbox-rules.ts';
import type { AuthDeps } from '../deps.ts';
import { messageOf } from './judge-send.ts';
import type { SendAnswer, SendRefusal, SendRequest, UncheckedRequest } from './send-request.ts';

type Deps = Pick<AuthDeps, 'captcha' | 'sendRequests' | 'holdMessage' | 'wakeDelivery'>;

export async function askToSend(
  deps: Deps,
  caller: { captchaToken: string; ip: string },
  request: UncheckedRequest,
): Promise<void> {
  const captcha = await passCaptcha(deps.captcha, caller.captchaToken, caller.ip);
  const answer = await commit(deps, { ...request, captcha });
  if (answer?.code === undefined) return;
  await noteSuspension(deps.sendRequests, request, answer);
  throw failureFrom(answer);
}

/** After the commit this node delivers the message from memory, if it has room. Otherwise a claim finds it in the outbox. */
async function commit(deps: Deps, request: SendRequest): Promise<SendAnswer> {
  const { sendRequests, wakeDelivery } = deps;
  const channel = request.message?.channel;
  const hold = channel && deps.holdMessage(channel);
  if (hold === undefined) {
    const answer = await sendRequests.request(request);
    if (answer === undefined && channel !== undefined) wakeDelivery(channel);
    return answer;
  }
  try {
    const { leaseSeconds } = hold;
    const answer = await sendRequests.request({ ...request, leaseSeconds });
    const message = answer !== undefined && 'isHeld' in answer ? messageOf(request, answer.source) : undefined;
    if (message === undefined) hold.release();
    else hold.deliver(holdMessage(message, { now: request.now, leaseSeconds }));
    return answer;
  } catch (error) {
    hold.release();
    throw error;
  }
}

async function noteSuspension(
  sendRequests: Deps['sendRequests'],
  { brake, now }: Pick<SendRequest, 'brake' | 'now'>,
  refusal: SendRefusal,
): Promise<void> {
  if (refusal.code !== 'SMS_SUSPENDED' || brake === undefined) return;
  const until = now + refusal.detail.retryAfterSeconds * 1000;
  await sendRequests.noteSuspension({ rule: refusal.rule, country: brake.country, until, now });
}
