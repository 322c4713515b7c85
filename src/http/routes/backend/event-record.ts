// An event as the back end of an app reads it, the same as in a webhook: schema and example.
import { anyObject, integer, named, object, text } from '../../interface/schema.ts';
import { isoTime } from '../fields.ts';

export const eventRecord = named(
  'Event',
  object({
    id: text({ format: 'uuid', description: 'The same in every page and in the webhook' }),
    type: text({ description: 'Types may be added: ignore those that you do not know' }),
    version: integer({ description: 'The version of the format' }),
    timestamp: isoTime,
    data: anyObject({ description: 'Ids, never a phone number, an e-mail address or a name' }),
  }),
);

export const eventRecordExample = {
  id: '019a8f4e-6c1b-7d0a-9c55-0b8f3f1d2a44',
  type: 'user.signed_in',
  version: 1,
  timestamp: '2026-11-15T10:00:00.000Z',
  data: {
    userId: '019a8f4e-6c1a-7b3c-8a11-2f6d0c9e4b77',
    sessionId: '019a8f4e-6c1b-7a55-9d02-71c3e5aa0f18',
    method: 'sms',
  },
};
