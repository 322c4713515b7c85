// The commit behind endpoints 1, 3 and 4: captcha, limits, challenge, message and audit event together or not at all.

import type { Hits } from '../../abuse/limits.ts';
import { countSend, isLastForRecipient, refuseSend, sendCounterIds } from '../../abuse/sends.ts';
import {
  type BrakeCounts,
  brakeEnds,
  brakeFailure,
  brakeIds,
  countMessage,
  findBrake,
  suspensionId,
} from '../../abuse/sms-brake.ts';
import { openChallenge } from '../../auth/challenge.ts';
import type { SendRefusal, SendRequest, Suspension } from '../../auth/send-request.ts';
import { createTrickle } from '../../kernel/trickle.ts';
import { insert, openRows } from '../engine/rows.ts';
import type { Row } from '../engine/schema.ts';
import { operation } from '../engine/transaction.ts';
import { type DatedEvent, writeAudit } from './audit.ts';
import { fromChallenge, toChallenge } from './challenge-rows.ts';
import { type LimitRows, openLimits } from './limit-rows.ts';
import { toMessageRow } from './outbox.ts';

type Gate = Pick<SendRequest, 'check' | 'brake'>;

/** Of each process. A refusal does not use up the captcha: one solution must not fill the table. The metrics count every refusal. */
const mayWrite = createTrickle(60, 60_000);

export const requestSend = operation(
  async (transaction, inputs: readonly SendRequest[]): Promise<(SendRefusal | undefined)[]> => {
    const [challenges, limits, captchas] = await Promise.all([
      openRows(
        transaction,
        'challenges',
        'slot',
        inputs.map((input) => input.challenge?.slot),
      ),
      openLimits(transaction, inputs.flatMap(limitIds)),
      openRows(
        transaction,
        'captchas',
        'id',
        inputs.map((input) => input.captcha?.id),
      ),
    ]);
    const messages: Row<'outbox'>[] = [];
    const events: DatedEvent[] = [];
    const outputs = inputs.map((input) => {
      // A solution that was used before opens nothing, not even a look at the limits.
      if (captchas.get(input.captcha?.id ?? null) !== undefined)
        return { code: 'CAPTCHA_INVALID' as const, detail: {} };
      const refusal = refuse(input, limits);
      if (refusal !== undefined) {
        const { rule } = refusal;
        if (rule !== undefined && mayWrite(input.now))
          events.push({ kind: 'sms.suspended', detail: { ...input.audit.detail, rule }, now: input.now });
        return refusal;
      }
      if (input.captcha !== undefined) captchas.put({ id: input.captcha.id, sweep_at: input.captcha.sweepAt });
      const opened = openOne(input, challenges);
      count(input, limits, opened?.isNew ?? false);
      if (isLastAllowed(input, limits))
        events.push({ ...input.audit, kind: 'limits.reached', detail: { ...input.audit.detail }, now: input.now });
      if (input.message !== undefined) messages.push(toMessageRow(input.message, opened?.payload));
      events.push({ ...input.audit, now: input.now });
      return undefined;
    });
    await Promise.all([
      challenges.save(),
      limits.save(),
      captchas.save(),
      insert(transaction, 'outbox', messages),
      writeAudit(transaction, events),
    ]);
    return outputs;
  },
);

export const noteSuspension = operation(async (transaction, inputs: readonly Suspension[]): Promise<undefined[]> => {
  const limits = await openLimits(
    transaction,
    inputs.map(({ rule, country }) => suspensionId(rule, country)),
  );
  const events = inputs.flatMap(({ rule, country, until, now }): DatedEvent[] => {
    const id = suspensionId(rule, country);
    if ((limits.get<number>(id) ?? 0) > now) return [];
    limits.put(id, until, until);
    return [{ kind: 'spend.suspended', detail: rule === 'day' ? { rule } : { rule, country }, now }];
  });
  await Promise.all([limits.save(), writeAudit(transaction, events)]);
  return inputs.map(() => undefined);
});

function limitIds({ check, brake }: Gate): (string | undefined)[] {
  const ids = check === undefined ? [] : sendCounterIds(check);
  return brake === undefined ? ids : [...ids, ...Object.values(brakeIds(brake))];
}

function refuse({ check, brake }: Gate, limits: LimitRows): SendRefusal | undefined {
  const failure = check === undefined ? undefined : refuseSend(check, limits.get);
  if (failure !== undefined) return { code: failure.code, detail: failure.detail };
  const broken = brake === undefined ? undefined : findBrake(brake, brakeCounts(brake, limits));
  if (broken === undefined) return undefined;
  const { code, detail } = brakeFailure(broken.retryAfterSeconds);
  return { code, detail, rule: broken.rule };
}

/** Written down with the send that uses a recipient's last chance up: refusals may come by the thousand, this one cannot. */
function isLastAllowed({ check }: SendRequest, limits: LimitRows): boolean {
  return check !== undefined && isLastForRecipient(check, limits.get);
}

function brakeCounts(brake: NonNullable<Gate['brake']>, limits: LimitRows): BrakeCounts {
  const ids = brakeIds(brake);
  return {
    total: limits.get<number>(ids.total) ?? 0,
    country: limits.get<number>(ids.country) ?? 0,
    prefix: limits.get<Hits>(ids.prefix) ?? [],
    use: limits.get<NonNullable<BrakeCounts['use']>>(ids.use) ?? [],
  };
}

function count({ check, brake }: Gate, limits: LimitRows, opensCode: boolean): void {
  if (check !== undefined)
    for (const { id, value, endsAt } of countSend(check, limits.get)) limits.put(id, value, endsAt);
  if (brake !== undefined) {
    const ids = brakeIds(brake);
    const counted = countMessage(brake, brakeCounts(brake, limits), opensCode);
    const ends = brakeEnds(brake);
    for (const name of ['total', 'country', 'prefix', 'use'] as const) limits.put(ids[name], counted[name], ends[name]);
  }
}

function openOne({ challenge, now }: SendRequest, challenges: Awaited<ReturnType<typeof openRows<'challenges'>>>) {
  if (challenge === undefined) return undefined;
  const row = challenges.get(challenge.slot);
  const opened = openChallenge(row && toChallenge(row), challenge.seed, challenge.policy, now);
  challenges.put(fromChallenge(challenge.slot, opened));
  const { id, nonce, secretId, expiresAt } = opened;
  return { isNew: id === challenge.seed.id, payload: { challenge: { id, nonce, secretId }, expiresAt } };
}
