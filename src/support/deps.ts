// Everything that use cases of this room may be handed; each names the few it touches.

import type { LimitStore } from '../abuse/limit-store.ts';
import type { AuthDeps } from '../auth/deps.ts';
import type { FileDeps } from '../files/deps.ts';
import type { AuditStore } from '../kernel/audit.ts';
import type { MessageLogStore } from '../messages/message-log.ts';
import type { AdminStore } from './admin.ts';
import type { UserDirectory } from './user-directory.ts';

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
  | 'removeBlobs'
  | 'wakeDelivery'
> &
  Pick<FileDeps, 'files' | 'blobs' | 'sweeps'> & {
    readonly admins: AdminStore;
    readonly directory: UserDirectory;
    readonly limits: LimitStore;
    readonly messageLog: MessageLogStore;
    readonly audit: AuditStore;
  };
