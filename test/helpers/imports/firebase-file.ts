// Writes a Firebase export with any number of made-up users, in the form of `firebase auth:export`.

import { once } from 'node:events';
import { createWriteStream } from 'node:fs';

const usersPerWrite = 1000;

/** German mobile numbers, one after the other: up to ten million. */
export function importedPhone(at: number): string {
  return `+491512${String(at).padStart(7, '0')}`;
}

function importedUser(at: number) {
  return {
    localId: `u${String(at).padStart(27, '0')}`,
    email: `user${at}@example.com`,
    emailVerified: at % 2 === 0,
    passwordHash: 'c2VjcmV0LWhhc2gtb2YtYS1wYXNzd29yZA==',
    salt: 'c2FsdA==',
    displayName: `User Number ${at}`,
    lastSignedInAt: String(1_700_000_000_000 + at),
    createdAt: String(1_600_000_000_000 + at),
    phoneNumber: importedPhone(at),
    ...(at % 3 === 0 && { customAttributes: JSON.stringify({ plan: 'gold', seat: at }) }),
    providerUserInfo: [],
  };
}

export async function writeFirebaseFile(path: string, users: number): Promise<void> {
  const file = createWriteStream(path);
  file.write('{"users": [\n');
  for (let from = 0; from < users; from += usersPerWrite) {
    const some = Array.from({ length: Math.min(usersPerWrite, users - from) }, (_, at) => importedUser(from + at));
    const text = some.map((user) => JSON.stringify(user, null, 2)).join(',\n');
    if (!file.write(`${from === 0 ? '' : ',\n'}${text}`)) await once(file, 'drain');
  }
  file.end(']}');
  await once(file, 'close');
}
