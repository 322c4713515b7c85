// Shows service keys: a new one with its text, once, and what a listing says about each.
import type { CreatedServiceKey } from '../../backend/create-service-key.ts';
import { type ServiceKey, stateOfKey } from '../../backend/service-key.ts';
import type { OperatorContext } from '../operator-context.ts';
import { isoTime, writeTime } from '../write-text.ts';

export function showNewKey(context: OperatorContext, { text, ...key }: CreatedServiceKey): void {
  context.show({ key: text, ...keyData(key, key.createdAt) }, text);
  context.say(`Shown once: store it where only your server can read it. It ends at ${writeTime(key.endsAt)}.`);
  context.say(`To revoke it: gatehouse service-keys revoke ${key.id}`);
}

export function keyData(key: ServiceKey, now: number) {
  return {
    id: key.id,
    name: key.name,
    scopes: key.scopes,
    state: stateOfKey(key, now),
    createdBy: key.createdBy,
    createdAt: isoTime(key.createdAt),
    endsAt: isoTime(key.endsAt),
    lastUsedAt: isoTime(key.lastUsedAt),
  };
}
