// The password of new connections to PostgreSQL: read again from the file of the database URL, so that it can change while the service runs.
import { readFile } from 'node:fs/promises';
import pg from 'pg';
import { splitDatabaseUrl } from '../../kernel/database-url.ts';
import { codeOf } from './postgres-errors.ts';

/** Between two attempts while role and file do not agree: whoever changes the password changes one after the other. */
export const disagreeMilliseconds = 100;

/** The connections to a server. A file that cannot be read, or has no password, leaves the password of the URL. */
export function clientOf(path: string | undefined): typeof pg.Client {
  return path === undefined ? pg.Client : clientWithFile(path);
}

function clientWithFile(path: string): typeof pg.Client {
  return class extends pg.Client {
    constructor(config?: string | pg.ClientConfig) {
      super(config);
      const known = this.password;
      // The driver asks for it when the server does: once for each connection.
      Object.assign(this, { password: async () => (await readPassword(path)) ?? known });
    }
  };
}

async function readPassword(path: string): Promise<string | undefined> {
  const text = await readFile(path, 'utf8').catch(() => '');
  const [first] = splitDatabaseUrl(text.trim()) ?? [];
  const password = first === undefined ? '' : new URL(first).password;
  return password === '' ? undefined : decodeURIComponent(password);
}

/** The server refused the password, or knows no such role. */
export function isWrongPassword(error: unknown): boolean {
  return codeOf(error) === '28P01';
}
