// Use case: show one user: account, scheduled change of the number, last use, active sessions with their IP addresses, storage usage.

import type { UserRecord } from '../../auth/directory/user-directory.ts';
import { knownTimeOf } from '../../auth/identity/scheduled-phone.ts';
import type { Session } from '../../auth/sessions/session.ts';
import type { Quota } from '../../files/quota.ts';
import type { AuditKind } from '../../kernel/audit.ts';
import type { PhoneNumber } from '../../kernel/recipient.ts';
import type { SupportDeps } from '../deps.ts';
import { findOneUser } from './find-one-user.ts';

type Deps = Pick<SupportDeps, 'directory' | 'sessions' | 'scheduledPhones' | 'files' | 'trash' | 'audit' | 'clock'>;

/** `address` is the IP address of the sign-in, or of the app that exchanged its code. Undefined if the audit event is no longer stored. */
export type PlacedSession = Session & { readonly address: string | undefined };

export type ShownChange = { readonly phone: PhoneNumber; readonly effectiveAt: number | undefined };

export type ShownUser = {
  readonly user: UserRecord;
  /** The last sign-in or refresh, as far as it is recorded. */
  readonly lastUsedAt: number;
  /** A change of the phone number that takes effect later; without a time if it waits to be announced again after a restore. */
  readonly scheduled: ShownChange | undefined;
  readonly sessions: readonly PlacedSession[];
  /** Stored files with the trash; of these, the trash; and besides, what uploads in progress have reserved. */
  readonly usage: Quota & { readonly trash: Quota; readonly reserved: Quota };
};

const mostSignIns = 200;

export async function showUser(deps: Deps, who: string): Promise<ShownUser> {
  const user = await findOneUser(deps, who);
  const { id: userId } = user;
  const listSignIns = (kind: AuditKind) => deps.audit.list({ userId, kind, since: 0, most: mostSignIns });
  const [active, used, trash, reserved, signIns, appSignIns, lastUsedAt = user.createdAt, change] = await Promise.all([
    deps.sessions.listSessions({ userId, now: deps.clock.now() }),
    deps.files.usage(userId),
    deps.trash.measureTrash(userId),
    deps.files.measureReserved({ userId, now: deps.clock.now() }),
    listSignIns('login.succeeded'),
    listSignIns('app.signed-in'),
    deps.directory.findLastUse(userId),
    deps.scheduledPhones.findPhoneChange(userId),
  ]);
  const addresses = new Map([...signIns, ...appSignIns].map(({ detail }) => [detail.session, detail.ip]));
  const sessions = active.map((session) => {
    const address = addresses.get(session.id);
    return { ...session, address: address === undefined ? undefined : String(address) };
  });
  const scheduled = change && { phone: change.phone, effectiveAt: knownTimeOf(change) };
  return { user, lastUsedAt, scheduled, sessions, usage: { ...used, trash, reserved } };
}
