// Use case: one person as they stand now: who they are, where they are signed in and from where, and how much they keep.

import type { Session } from '../auth/session.ts';
import type { Quota } from '../files/quota.ts';
import type { SupportDeps } from './deps.ts';
import { findOneUser } from './find-one-user.ts';
import type { UserRecord } from './user-directory.ts';

type Deps = Pick<SupportDeps, 'directory' | 'sessions' | 'files' | 'audit' | 'clock'>;

/** The address from which a session was begun, where the log still knows it. */
export type PlacedSession = Session & { readonly address: string | undefined };

export type ShownUser = {
  readonly user: UserRecord;
  readonly sessions: readonly PlacedSession[];
  readonly usage: Quota;
};

const mostSignIns = 200;

export async function showUser(deps: Deps, who: string): Promise<ShownUser> {
  const user = await findOneUser(deps, who);
  const { id: userId } = user;
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
  return { user, sessions, usage };
}
