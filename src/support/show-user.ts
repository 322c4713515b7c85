// Use case: one person as they stand now: who they are, where they are signed in and from where, and how much they keep.

import type { Session } from '../auth/session.ts';
import type { Quota } from '../files/stored-file.ts';
import type { SupportDeps } from './deps.ts';
import { findPerson } from './find-one-user.ts';
import type { Person } from './user-directory.ts';

type Deps = Pick<SupportDeps, 'persons' | 'sessions' | 'files' | 'audit' | 'clock'>;

/** The address from which a session was begun, where the log still knows it. */
export type PlacedSession = Session & { readonly address: string | undefined };

export type ShownPerson = {
  readonly person: Person;
  readonly sessions: readonly PlacedSession[];
  readonly usage: Quota;
};

const mostSignIns = 200;

export async function showPerson(deps: Deps, who: string): Promise<ShownPerson> {
  const person = await findPerson(deps, who);
  const { id: userId } = person;
  const [alive, usage, signIns] = await Promise.all([
    deps.sessions.listSessions({ userId, now: deps.clock.now() }),
    deps.files.usage(userId),
    deps.audit.list({ userId, kind: 'login.succeeded', since: 0, most: mostSignIns }),
  ]);
  const addresses = new Map(signIns.map(({ detail }) => [detail.session, detail.ip]));
  const sessions = alive.map((session) => {
    const address = addresses.get(session.id);
    return { ...session, address: address === undefined ? undefined : String(address) };
  });
  return { person, sessions, usage };
}
