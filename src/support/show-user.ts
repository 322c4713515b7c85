// Use case: show one user: account, active sessions with their IP addresses, and storage usage.

import type { Session } from '../auth/session.ts';
import type { Quota } from '../files/quota.ts';
import type { SupportDeps } from './deps.ts';
import { findOneUser } from './find-one-user.ts';
import type { UserRecord } from './user-directory.ts';

type Deps = Pick<SupportDeps, 'directory' | 'sessions' | 'files' | 'audit' | 'clock'>;

/** `address` is the IP address of the sign-in. Undefined if the audit event is no longer stored. */
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
  const [active, usage, signIns] = await Promise.all([
    deps.sessions.listSessions({ userId, now: deps.clock.now() }),
    deps.files.usage(userId),
    deps.audit.list({ userId, kind: 'login.succeeded', since: 0, most: mostSignIns }),
  ]);
  const addresses = new Map(signIns.map(({ detail }) => [detail.session, detail.ip]));
  const sessions = active.map((session) => {
    const address = addresses.get(session.id);
    return { ...session, address: address === undefined ? undefined : String(address) };
  });
  return { user, sessions, usage };
}
