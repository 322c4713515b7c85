// Proof tickets: with one, a user who proved a number may start a new account if the old one was unused for long. The service stores none.

import { seal, unseal } from '../../kernel/crypto/seal.ts';
import type { Secrets } from '../../kernel/crypto/secrets.ts';
import type { UserId } from '../../kernel/ids.ts';
import type { PhoneNumber } from '../../kernel/recipient.ts';
import { asRecord } from '../../kernel/text/as-record.ts';
import { isFullNumber } from '../identity/phone-number.ts';

/** The account that has the number, and its last use when the ticket was written. Any later use makes the ticket invalid. */
export type ProofTicket = { readonly userId: UserId; readonly phone: PhoneNumber; readonly lastUse: number };

const lifeSeconds = 600;

/** Encrypted: its holder learns neither the id of the account nor when it was used. */
export function writeProofTicket(secrets: Secrets, { userId, phone, lastUse }: ProofTicket, now: number): string {
  const content = { userId, phone, lastUse, endsAt: now + lifeSeconds * 1000 };
  return seal(secrets, 'proof ticket', Buffer.from(JSON.stringify(content)));
}

/** Undefined if the ticket is forged, expired, or from a secret that is no longer configured. */
export function readProofTicket(secrets: Secrets, text: string, now: number): ProofTicket | undefined {
  const content = unseal(secrets, 'proof ticket', text);
  if (content === undefined) return undefined;
  const { userId, phone, lastUse, endsAt } = asRecord(JSON.parse(content.toString()));
  if (typeof userId !== 'string' || typeof phone !== 'string' || !isFullNumber(phone)) return undefined;
  if (typeof lastUse !== 'number' || typeof endsAt !== 'number' || now >= endsAt) return undefined;
  return { userId: userId as UserId, phone, lastUse };
}
