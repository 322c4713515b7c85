// Everything that use cases of this room may be handed; each names the few it touches.
import type { AuthDeps } from '../auth/deps.ts';
import type { PersonStore } from '../auth/person.ts';
import type { MessageLogStore } from '../delivery/message-log.ts';
import type { FileDeps } from '../files/deps.ts';
import type { LimitStore } from '../guard/limit-store.ts';
import type { AuditStore } from '../kernel/audit.ts';
import type { AdminStore } from './admin.ts';

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
    readonly persons: PersonStore;
    readonly limits: LimitStore;
    readonly messageLog: MessageLogStore;
    readonly audit: AuditStore;
  };
