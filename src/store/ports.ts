// Implements the ports of the domain with the store: each verb is the operation of its name.

import type { LimitStore } from '../abuse/limit-store.ts';
import type { AppStore } from '../apps/app-store.ts';
import type { SendRequestStore } from '../auth/codes/send-request.ts';
import type { UserDirectory } from '../auth/directory/user-directory.ts';
import type { BindingStore } from '../auth/identity/email-binding.ts';
import type { PhoneStore } from '../auth/identity/phone-change.ts';
import type { ScheduledPhoneStore } from '../auth/identity/scheduled-phone.ts';
import type { UserStore } from '../auth/identity/user.ts';
import type { LinkStore } from '../auth/links/login-link.ts';
import type { NoticeStore } from '../auth/notices/notice-link.ts';
import type { SessionStore } from '../auth/sessions/session.ts';
import type { ProofStore } from '../auth/sessions/session-proof.ts';
import type { SignInStore } from '../auth/sign-in/sign-in.ts';
import type { SigningKeyStore } from '../auth/tokens/signing-key.ts';
import type { BackendUserStore } from '../backend/backend-user.ts';
import type { EventStore } from '../backend/event-log.ts';
import type { ExportStore } from '../backend/export-users.ts';
import type { ImportStore } from '../backend/import-user.ts';
import type { ServiceKeyStore } from '../backend/service-key.ts';
import type { WebhookLogStore, WebhookQueue } from '../backend/webhooks/webhook-queue.ts';
import type { ResumableStore } from '../files/resumable/resumable-upload.ts';
import type { SharingStore } from '../files/sharing/file-link.ts';
import type { InstallationStore } from '../files/storage/installation.ts';
import type { FileStore } from '../files/stored-file.ts';
import type { SweepStore } from '../files/sweeps/blob-sweep.ts';
import type { RemovalQueue } from '../files/sweeps/removal-queue.ts';
import type { TrashStore } from '../files/trash/trash.ts';
import type { AuditStore } from '../kernel/audit.ts';
import type { StandingStore } from '../messages/delivery/node-standing.ts';
import type { InboxStore } from '../messages/inbox.ts';
import type { MessageLogStore } from '../messages/message-log.ts';
import type { OutboxStore } from '../messages/outbox.ts';
import type { DayCountStore } from '../support/day-counts.ts';
import type { AdminStore } from '../support/staff/admin.ts';
import type { StaffPhoneStore } from '../support/users/staff-phone.ts';
import { portsOf, type Used } from './engine/ports.ts';
import { operatorModules, serviceModules } from './operations/all.ts';
import type { Crowded } from './operations/files/uploads/room.ts';
import type { Store } from './store.ts';

/** A verb without its operation does not compile, and neither does an operation that is no verb. */
export function createPorts({ call }: Pick<Store, 'call'>) {
  const ports = portsOf(serviceModules satisfies Used<typeof serviceModules, Ports>, call);
  const { files, resumables } = ports;
  return {
    ...ports,
    files: { ...files, reserve: untilRoom(files.reserve), settle: untilRoom(files.settle) },
    resumables: { ...resumables, create: untilRoom(resumables.create), advance: untilRoom(resumables.advance) },
  } satisfies Ports;
}

/** The ports for operators and staff. */
export function createOperatorPorts({ call }: Pick<Store, 'call'>) {
  return portsOf(operatorModules satisfies Used<typeof operatorModules, OperatorPorts>, call) satisfies OperatorPorts;
}

export type Ports = {
  readonly sendRequests: SendRequestStore;
  readonly signIns: SignInStore;
  readonly sessions: SessionStore;
  readonly proofs: ProofStore;
  readonly users: UserStore;
  readonly links: LinkStore;
  readonly bindings: BindingStore;
  readonly phones: PhoneStore;
  readonly notices: NoticeStore;
  readonly scheduledPhones: ScheduledPhoneStore;
  readonly signingKeys: SigningKeyStore;
  readonly outbox: OutboxStore;
  readonly inbox: InboxStore;
  readonly files: FileStore;
  readonly webhooks: WebhookQueue;
  readonly appStore: AppStore;
  readonly backendUsers: BackendUserStore;
  readonly trash: TrashStore;
  readonly sharing: SharingStore;
  readonly resumables: ResumableStore;
  readonly removals: RemovalQueue;
  readonly sweeps: SweepStore;
  readonly installations: InstallationStore;
};

export type OperatorPorts = {
  readonly directory: UserDirectory & StaffPhoneStore;
  readonly limits: LimitStore;
  readonly messageLog: MessageLogStore;
  readonly audit: AuditStore;
  readonly dayCounts: DayCountStore;
  readonly standings: StandingStore;
  readonly admins: AdminStore;
  readonly serviceKeys: ServiceKeyStore;
  readonly webhookLog: WebhookLogStore;
  readonly events: EventStore;
  readonly imports: ImportStore;
  readonly exports: ExportStore;
};

/** Each commit makes room by a few files, so that the commits of others come between. Each removes some, so it ends. */
function untilRoom<Input, Outcome>(ask: (input: Input) => Promise<Outcome | Crowded>) {
  return async (input: Input): Promise<Exclude<Outcome, Crowded>> => {
    for (;;) {
      const outcome = await ask(input);
      if (!isCrowded(outcome)) return outcome as Exclude<Outcome, Crowded>;
    }
  };
}

function isCrowded(outcome: unknown): outcome is Crowded {
  return typeof outcome === 'object' && outcome !== null && 'kind' in outcome && outcome.kind === 'crowded';
}
