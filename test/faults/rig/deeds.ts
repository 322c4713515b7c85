// Calls that must each be done once, and the counts in the store that each raises.

import { uploadSound } from '../../helpers/faults/lives.ts';
import { askForCode, bind, codeIn, messageAfter, newAddress, sendBinding } from '../../helpers/people/users.ts';
import { logIn, newPhone, type Pair, type Reply, refresh } from '../../helpers/requests/api.ts';

export type Deed = {
  /** A text that only its transaction sends to the database. */
  readonly mark: string;
  /** Queries of counts that it raises by one. */
  readonly traces: readonly string[];
  act(): Promise<Reply>;
  /** The answers: if it is done now, and if it was done before. */
  readonly answers: readonly [now: string, before: string];
};

/** A signed-in user, with the newest token pair. */
export type UserRecord = { readonly url: string; pair: Pair };

const rowsOf = (table: string, which = '1 = 1') => `select count(*) from ${table} where ${which}`;
const eventsOf = (kind: string) => rowsOf('audit_events', `kind = '${kind}'`);

let serial = 0;

export const deeds: Readonly<Record<string, (user: UserRecord) => Promise<Deed>>> = {
  'sign-ins': async ({ url }) => {
    const phone = newPhone();
    const code = await askForCode(url, phone);
    return {
      mark: 'login.succeeded',
      traces: [rowsOf('users'), rowsOf('sessions'), eventsOf('login.succeeded'), eventsOf('user.created')],
      act: () => logIn(url, phone, code),
      answers: ['200', '400 OTP_INVALID'],
    };
  },
  refreshes: async (user) => {
    const { JWT, RT } = user.pair;
    const { sid } = JSON.parse(Buffer.from(JWT.split('.')[1] ?? '', 'base64url').toString()) as { sid: string };
    return {
      mark: sid,
      traces: ['select sum(counter) from sessions'],
      act: async () => {
        const reply = await refresh(user.url, RT);
        if (reply.status === 200) user.pair = reply.body.data;
        return reply;
      },
      answers: ['200', '200'],
    };
  },
  bindings: async ({ url, pair }) => {
    const address = newAddress();
    const code = codeIn(await messageAfter(url, address, () => sendBinding(url, pair.JWT, address)));
    return {
      mark: 'email.bound',
      traces: [eventsOf('email.bound'), rowsOf('users', `email = '${address}'`)],
      act: () => bind(url, pair.JWT, address, code),
      answers: ['200', '200'],
    };
  },
  uploads: async ({ url, pair }) => {
    const key = `key-${++serial}`;
    return {
      mark: 'file.stored',
      traces: [
        rowsOf('files'),
        'select coalesce(sum(files), 0) from file_usage',
        rowsOf('idempotency_keys'),
        eventsOf('file.stored'),
      ],
      act: () => uploadSound(url, pair.JWT, key, 2000),
      answers: ['201', '201'],
    };
  },
};
