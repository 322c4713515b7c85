// The password of new connections to PostgreSQL: read again from the file of the database URL, so that it can change while the service runs.
import { readFile } from 'node:fs/promises';
import pg from 'pg';
import { splitDatabaseUrl } from '../../kernel/net/database-url.ts';
import { codeOf } from './postgres-errors.ts';

/** Between two attempts while role and file do not agree: whoever changes the password changes one after the other. */
export const disagreeMilliseconds = 100;

type Report = (error: Error) => void;

/** The connections to a server. A file that cannot be read, or has no password, leaves the last password that it had. */
export function clientOf(path: string | undefined, report: Report = () => undefined): typeof pg.Client {
  return path === undefined ? pg.Client : clientWithFile(path, report);
}

function clientWithFile(path: string, report: Report): typeof pg.Client {
  const read = passwordReader(path, report);
  return class extends pg.Client {
    constructor(config?: string | pg.ClientConfig) {
      super(config);
      const first = this.password;
      // The driver asks for it when the server does: once for each connection.
      Object.assign(this, { password: async () => (await read()) ?? first });
    }
  };
}

/** Whoever replaces the file may empty or remove it first. Reports once that there is no password in it, until there is one again. */
export function passwordReader(path: string, report: Report): () => Promise<string | undefined> {
  let last: string | undefined;
  let isLost = false;
  return async () => {
    try {
      last = passwordIn(await readFile(path, 'utf8'));
      isLost = false;
    } catch (error) {
      if (!isLost) report(withoutPassword(path, error));
      isLost = true;
    }
    return last;
  };
}

function passwordIn(text: string): string {
  const [first] = splitDatabaseUrl(text.trim()) ?? [];
  const password = first === undefined ? '' : new URL(first).password;
  if (password === '') throw new Error('it contains no database URL with a password');
  return decodeURIComponent(password);
}

function withoutPassword(path: string, cause: unknown): Error {
  const reason = codeOf(cause) === '' ? (cause as Error).message : codeOf(cause);
  const message = `the password of the database cannot be read from ${path} (${reason}): the last one that was read is used`;
  return Object.assign(new Error(message, { cause }), { code: 'DATABASE_PASSWORD_FILE' });
}

/** The server refused the password, or knows no such role. */
export function isWrongPassword(error: unknown): boolean {
  return codeOf(error) === '28P01';
}
