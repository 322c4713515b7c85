// JSON objects that are stored as text: what an app keeps with a user.
import { asRecord } from '../../kernel/text/as-record.ts';
import type { JsonObject } from '../../kernel/text/json-object.ts';

/** Empty if none is stored. */
export function readJson(text: string | null): JsonObject {
  return text === null ? {} : asRecord(JSON.parse(text));
}
