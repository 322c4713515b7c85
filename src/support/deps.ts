// The dependencies of the use cases in this folder. Each use case picks the few that it needs.

import type { LimitStore } from '../abuse/limit-store.ts';
import type { AuthDeps } from '../auth/deps.ts';
import type { UserDirectory } from '../auth/directory/user-directory.ts';
import type { FileDeps } from '../files/deps.ts';
import type { AuditStore } from '../kernel/audit.ts';
import type { UserId } from '../kernel/ids.ts';
import type { StandingStore } from '../messages/delivery/node-standing.ts';
import type { MessageLogStore } from '../messages/message-log.ts';
import type { DayCountStore } from './day-counts.ts';
import type { AdminStore } from './staff/admin.ts';
import type { StaffPhoneStore } from './users/staff-phone.ts';

/** What a user allowed an app, and when. */
export type AllowedScopes = { readonly appId: string; readonly scopes: readonly string[]; readonly createdAt: number };

export type SupportDeps = Pick<
  AuthDeps,
  | 'clock'
  | 'secrets'
  | 'sessions'
  | 'users'
  | 'revocations'
  | 'sends'
  | 'otp'
  | 'brake'
  | 'bindings'
  | 'scheduledPhones'
  | 'testRecipients'
  | 'phoneTypes'
  | 'phoneRecoveryWaitSeconds'
  | 'noticeChoice'
  | 'removeBytes'
  | 'wakeDelivery'
> &
  Pick<FileDeps, 'files' | 'trash' | 'blobs' | 'removals'> & {
    readonly admins: AdminStore;
    readonly directory: UserDirectory & StaffPhoneStore;
    readonly limits: LimitStore;
    readonly messageLog: MessageLogStore;
    readonly audit: AuditStore;
    readonly dayCounts: DayCountStore;
    readonly standings: StandingStore;
    readonly appStore: { listConsents(userId: UserId): Promise<readonly AllowedScopes[]> };
  };
