// The commit behind every request for a code or a link: captcha, limits, challenge, message and audit event together or not at all.

import { judgeSuspension, type Suspension, suspensionId } from '../../../../abuse/suspension.ts';
import {
  acceptedEvents,
  countedBy,
  countSendRequest,
  judgeSend,
  messageOf,
  openCode,
  refusedEvent,
  sendRequestIds,
} from '../../../../auth/codes/judge-send.ts';
import type { SendAnswer, SendRequest } from '../../../../auth/codes/send-request.ts';
import type { DatedEvent } from '../../../../kernel/audit.ts';
import { createRateLimiter } from '../../../../kernel/work/rate-limiter.ts';
import { insert, openRows } from '../../../engine/rows.ts';
import type { Row } from '../../../engine/schema.ts';
import { operation } from '../../../engine/transaction.ts';
import { openLimits } from '../../abuse/limit-rows.ts';
import { writeAudit } from '../../audit.ts';
import { writeCounted } from '../../messages/counted-messages.ts';
import { toClaimedRow, toMessageRow } from '../../messages/outbox.ts';
import { fromChallenge, toChallenge } from './challenge-rows.ts';

/** Per process. A refusal does not use up the captcha: one solution must not fill the table. The metrics count every refusal. */
const mayWrite = createRateLimiter(60, 60_000);

export const request = operation(async (transaction, inputs: readonly SendRequest[]): Promise<SendAnswer[]> => {
  const [challenges, limits, captchas] = await Promise.all([
    openRows(
      transaction,
      'challenges',
      'slot',
      inputs.map((input) => input.challenge?.slot),
    ),
    openLimits(transaction, inputs.flatMap(sendRequestIds)),
    openRows(
      transaction,
      'captchas',
      'id',
      inputs.map((input) => input.captcha?.id),
    ),
  ]);
  const messages: Row<'outbox'>[] = [];
  const events: DatedEvent[] = [];
  const outputs = inputs.map((input): SendAnswer => {
    const { challenge, captcha, leaseSeconds, now } = input;
    const isCaptchaUsed = captchas.get(captcha?.id ?? null) !== undefined;
    const refusal = judgeSend(input, isCaptchaUsed, limits.get);
    if (refusal !== undefined) {
      const event = refusedEvent(input, refusal);
      if (event !== undefined && mayWrite(now)) events.push(event);
      return refusal;
    }
    if (captcha !== undefined) captchas.put({ id: captcha.id, sweep_at: captcha.sweepAt });
    const row = challenges.get(challenge?.slot ?? null);
    const opened = challenge && openCode(row && toChallenge(row), challenge, now);
    if (challenge !== undefined && opened !== undefined)
      challenges.put(fromChallenge(challenge.slot, opened.challenge));
    const opensCode = opened?.isNew ?? false;
    limits.putAll(countSendRequest(input, limits.get, opensCode));
    events.push(...acceptedEvents(input, limits.get));
    const source = opened?.source;
    const message = messageOf(input, source);
    if (message === undefined) return undefined;
    const counted = writeCounted(countedBy(input, message, opensCode));
    if (leaseSeconds === undefined) {
      messages.push({ ...toMessageRow(message), counted });
      return undefined;
    }
    messages.push({ ...toClaimedRow(message, { now, leaseSeconds }), counted });
    return { isHeld: true, ...(source && { source }) };
  });
  await Promise.all([
    challenges.save(),
    limits.save(),
    captchas.save(),
    insert(transaction, 'outbox', messages),
    writeAudit(transaction, events),
  ]);
  return outputs;
});

export const noteSuspension = operation(async (transaction, inputs: readonly Suspension[]): Promise<undefined[]> => {
  const limits = await openLimits(
    transaction,
    inputs.map(({ rule, country }) => suspensionId(rule, country)),
  );
  const events = inputs.flatMap((suspension): DatedEvent[] => {
    const { rule, country } = suspension;
    const note = judgeSuspension(limits.get<number>(suspensionId(rule, country)), suspension);
    if (note === undefined) return [];
    limits.putAll([note.count]);
    return [note.event];
  });
  await Promise.all([limits.save(), writeAudit(transaction, events)]);
  return inputs.map(() => undefined);
});
