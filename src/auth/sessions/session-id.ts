// The ids of sessions: made at a sign-in, held in tokens, and named by callers.
import type { Brand } from '../../kernel/brand.ts';
import { newId } from '../../kernel/crypto/random.ts';
import { parseUuid } from '../../kernel/crypto/uuid.ts';

export type SessionId = Brand<'SessionId'>;

export function newSessionId(): SessionId {
  return newId() as SessionId;
}

/** As a caller names it. Undefined if it does not have the form of an id. */
export function parseSessionId(text: string): SessionId | undefined {
  return parseUuid(text) as SessionId | undefined;
}
