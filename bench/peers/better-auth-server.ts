// Better Auth as a process: without logs and rate limit, tuned with a larger pool and the index that its migration lacks.
import { createServer } from 'node:http';
import { DatabaseSync } from 'node:sqlite';
import { type Auth, betterAuth } from 'better-auth';
import { getMigrations } from 'better-auth/db/migration';
import { toNodeHandler } from 'better-auth/node';
import { bearer, jwt, magicLink, phoneNumber } from 'better-auth/plugins';
import pg from 'pg';
import { readSettings, serve } from './served.ts';

const poolSize = 32;
const atOnce = 32;
const settings = readSettings();
const codes = new Map<string, string>();
const database = openDatabase();

const auth = betterAuth({
  database: database.connection,
  baseURL: 'http://127.0.0.1',
  secret: 'only-for-the-bench-and-long-enough-to-pass',
  rateLimit: { enabled: false },
  logger: { disabled: true },
  plugins: [
    phoneNumber({
      sendOTP: ({ phoneNumber: phone, code }: { phoneNumber: string; code: string }) => {
        codes.set(phone, code);
      },
      signUpOnVerification: { getTempEmail: emailOf },
    }),
    magicLink({ sendMagicLink: () => undefined }),
    jwt({ disableSettingJwtHeader: true, jwks: { keyPairConfig: { alg: 'ES256' } } }),
    bearer(),
  ],
});
await prepareDatabase(auth);

serve(createServer(toNodeHandler(auth)), {
  createUsers: async (phones) => {
    const { adapter } = await auth.$context;
    const now = new Date();
    await inGroups(phones, (phone) =>
      adapter.create({
        model: 'user',
        data: {
          name: phone,
          email: emailOf(phone),
          emailVerified: false,
          phoneNumber: phone,
          phoneNumberVerified: true,
          createdAt: now,
          updatedAt: now,
        },
      }),
    );
  },
  sendCodes: async (phones) => {
    await inGroups(phones, (phone) => auth.api.sendPhoneNumberOTP({ body: { phoneNumber: phone } }));
    const sent = phones.map((phone) => codes.get(phone));
    codes.clear();
    return sent;
  },
});

function openDatabase(): { connection: object; execute(text: string): Promise<void> } {
  if (settings.kind === 'postgres') {
    const pool = new pg.Pool({ connectionString: settings.url, max: poolSize });
    return {
      connection: pool,
      execute: async (text) => {
        await pool.query(text);
      },
    };
  }
  const connection = new DatabaseSync(settings.file ?? '');
  connection.exec('pragma journal_mode = wal; pragma synchronous = full');
  return { connection, execute: async (text) => connection.exec(text) };
}

/** Every lookup of a code also deletes expired ones, for which its migration has no index. */
async function prepareDatabase({ options }: Auth): Promise<void> {
  const { runMigrations } = await getMigrations(options);
  await runMigrations();
  await database.execute('create index if not exists verification_by_end on verification ("expiresAt")');
}

function emailOf(phone: string): string {
  return `${phone.slice(1)}@bench.example`;
}

async function inGroups(phones: string[], work: (phone: string) => Promise<unknown>): Promise<void> {
  for (let at = 0; at < phones.length; at += atOnce) await Promise.all(phones.slice(at, at + atOnce).map(work));
}
