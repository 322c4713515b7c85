// Use case: send a parked or waiting message again. Its code or link stays the same.

import type { Act } from '../kernel/audit.ts';
import type { Clock } from '../kernel/clock.ts';
import type { UserId } from '../kernel/ids.ts';
import type { MessageLogStore, ResendOutcome } from '../messages/message-log.ts';

type Deps = { readonly messageLog: MessageLogStore; readonly clock: Clock };

export async function resendMessage(
  { messageLog, clock }: Deps,
  input: { id: string; userId?: UserId; by: Act },
): Promise<ResendOutcome> {
  return messageLog.resend({ ...input, now: clock.now() });
}
