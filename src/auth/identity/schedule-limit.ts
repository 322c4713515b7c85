// The limit on scheduling a number: three in 24 hours for an account, so that the old number gets an SMS about each.

import type { Count, ReadCounter } from '../../abuse/caller-limits.ts';
import { addHit, type Block, findBlock, type Hits, type LimitRule } from '../../abuse/limits.ts';
import { sha256 } from '../../kernel/crypto/digest.ts';
import { Failure } from '../../kernel/failure.ts';
import type { UserId } from '../../kernel/ids.ts';

/** At most as many as notice SMS a number may get in that time (notice-sms.ts). */
const scheduleRule: LimitRule = { count: 3, windowSeconds: 86_400 };

/** By users and by staff together. */
export function schedulesId(userId: UserId): string {
  return `phone-schedules:${sha256(userId)}`;
}

export function findScheduleBlock(userId: UserId, read: ReadCounter, now: number): Block | undefined {
  return findBlock(hitsOf(userId, read), [scheduleRule], now);
}

export function countSchedule(userId: UserId, read: ReadCounter, now: number): Count {
  const value = addHit(hitsOf(userId, read), [scheduleRule], now);
  return { id: schedulesId(userId), value, endsAt: now + scheduleRule.windowSeconds * 1000 };
}

export function scheduleFailure({ rule, retryAfterSeconds }: Block): Failure {
  const limit = { quota: rule.count, windowSeconds: rule.windowSeconds, resetSeconds: retryAfterSeconds };
  return new Failure('RATE_LIMITED', { retryAfterSeconds, policy: { name: 'phone-changes', ...limit } });
}

function hitsOf(userId: UserId, read: ReadCounter): Hits {
  return (read(schedulesId(userId)) ?? []) as Hits;
}
