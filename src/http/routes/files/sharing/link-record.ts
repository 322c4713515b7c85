// A link to a file in answers: schema, example and conversion.
import type { FileLink } from '../../../../files/sharing/file-link.ts';
import { integer, named, nullable, object, text } from '../../../interface/schema.ts';
import { isoTime } from '../../fields.ts';

const fields = {
  id: text({ description: 'Names the link when it is revoked. It does not open the file' }),
  expiresAt: isoTime,
  uses: nullable(integer({ description: 'How often the file may be downloaded; null: any number of times' })),
};

export const newLink = named(
  'NewFileLink',
  object({
    ...fields,
    url: text({ description: 'Opens the file without a sign-in. It is shown only here' }),
  }),
);

export const listedLink = named('FileLink', object({ ...fields, createdAt: isoTime, used: integer() }));

export const newLinkExample = {
  id: 'q83vEjRWeJq83vAB',
  url: 'https://auth.example.com/file/fil_3q2-7wAAAAAAAAAAAAAAAA?l=AQBp…',
  expiresAt: '2026-11-22T09:30:00.000Z',
  uses: null,
};

export const listedLinkExample = {
  id: 'q83vEjRWeJq83vAB',
  createdAt: '2026-11-15T09:30:00.000Z',
  expiresAt: '2026-11-22T09:30:00.000Z',
  uses: 3,
  used: 1,
};

export function toListedLink({ id, createdAt, expiresAt, uses, used }: FileLink) {
  return {
    id,
    createdAt: new Date(createdAt).toISOString(),
    expiresAt: new Date(expiresAt).toISOString(),
    uses: uses ?? null,
    used,
  };
}
