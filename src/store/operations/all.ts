// The operations by port: the modules whose exports are its verbs. A driver runs them by name, on its own thread where it has one.

import { type Joined, namedOperations, type VerbOf } from '../engine/ports.ts';
import * as limits from './abuse/limits.ts';
import * as appCodes from './apps/app-codes.ts';
import * as appConsents from './apps/app-consents.ts';
import * as audit from './audit.ts';
import * as auditListing from './audit-listing.ts';
import * as sendRequests from './auth/codes/send-requests.ts';
import * as userDirectory from './auth/directory/user-directory.ts';
import * as bindings from './auth/identity/bindings.ts';
import * as phoneChanges from './auth/identity/phone-changes.ts';
import * as scheduledPhones from './auth/identity/scheduled-phones.ts';
import * as users from './auth/identity/users.ts';
import * as links from './auth/links/links.ts';
import * as noticeLinks from './auth/notices/notice-links.ts';
import * as notices from './auth/notices/notices.ts';
import * as sessionProofs from './auth/sessions/session-proofs.ts';
import * as sessions from './auth/sessions/sessions.ts';
import * as phoneClaims from './auth/sign-in/phone-claims.ts';
import * as signIns from './auth/sign-in/sign-ins.ts';
import * as signingKeys from './auth/tokens/signing-keys.ts';
import * as backendUsers from './backend/backend-users.ts';
import * as eventLog from './backend/event-log.ts';
import * as serviceKeys from './backend/service-keys.ts';
import * as userExports from './backend/user-exports.ts';
import * as userImports from './backend/user-imports.ts';
import * as files from './files/files.ts';
import * as endedUploads from './files/resumable/ended-uploads.ts';
import * as openUploads from './files/resumable/open-uploads.ts';
import * as resumables from './files/resumable/resumables.ts';
import * as uploadFinishes from './files/resumable/upload-finishes.ts';
import * as fileLinks from './files/sharing/file-links.ts';
import * as fileReaders from './files/sharing/file-readers.ts';
import * as installation from './files/storage/installation.ts';
import * as blobSweeps from './files/sweeps/blob-sweeps.ts';
import * as removals from './files/sweeps/removals.ts';
import * as trash from './files/trash/trash.ts';
import * as reservedSpace from './files/uploads/reserved-space.ts';
import * as uploads from './files/uploads/uploads.ts';
import * as journal from './journal.ts';
import * as inbox from './messages/inbox.ts';
import * as nodeStandings from './messages/node-standings.ts';
import * as outbox from './messages/outbox.ts';
import * as outboxEnds from './messages/outbox-ends.ts';
import * as outboxEntries from './messages/outbox-entries.ts';
import * as admins from './support/admins.ts';
import * as dayCounts from './support/day-counts.ts';
import * as staffPhones from './support/staff-phones.ts';
import * as sweep from './sweep.ts';
import * as webhookEntries from './webhooks/webhook-entries.ts';
import * as webhookLimits from './webhooks/webhook-limits.ts';
import * as webhookQueues from './webhooks/webhook-queues.ts';
import * as webhooks from './webhooks/webhooks.ts';

export const serviceModules = {
  sendRequests: [sendRequests],
  signIns: [signIns, phoneClaims],
  sessions: [sessions],
  proofs: [sessionProofs],
  users: [users],
  links: [links],
  bindings: [bindings],
  phones: [phoneChanges],
  notices: [noticeLinks, notices],
  scheduledPhones: [scheduledPhones],
  signingKeys: [signingKeys],
  outbox: [outbox, outboxEnds],
  inbox: [inbox],
  files: [reservedSpace, uploads, files],
  webhooks: [webhookQueues, webhooks, webhookLimits],
  appStore: [appCodes, appConsents],
  backendUsers: [backendUsers],
  trash: [trash],
  sharing: [fileLinks, fileReaders],
  resumables: [resumables, uploadFinishes, endedUploads, openUploads],
  removals: [removals],
  sweeps: [blobSweeps],
  installations: [installation],
} as const;

/** The ports for operators and staff. */
export const operatorModules = {
  directory: [userDirectory, staffPhones],
  limits: [limits],
  messageLog: [outboxEntries],
  audit: [audit, auditListing],
  dayCounts: [dayCounts],
  standings: [nodeStandings],
  admins: [admins],
  serviceKeys: [serviceKeys],
  webhookLog: [webhookEntries],
  events: [eventLog],
  imports: [userImports],
  exports: [userExports],
} as const;

/** What the store and the commands ask for by name. */
const ownModules = {
  journal: [journal],
  tables: [sweep],
} as const;

const modules = { ...serviceModules, ...operatorModules, ...ownModules };

type Ports = { readonly [P in keyof typeof modules]: Joined<(typeof modules)[P]> };

/** The port and its verb: `outbox.claim`. */
export type OperationName = { [P in keyof Ports]: `${P}.${VerbOf<Ports[P]>}` }[keyof Ports];

type OperationOf<N> = N extends `${infer P extends keyof Ports}.${infer V}` ? Ports[P][V & keyof Ports[P]] : never;

type Operations = { readonly [N in OperationName]: OperationOf<N> };

export type InputOf<N extends OperationName> = Parameters<Operations[N]['run']>[1][number];
export type OutputOf<N extends OperationName> = Awaited<ReturnType<Operations[N]['run']>>[number];

export const operations = Object.fromEntries(namedOperations(modules)) as Operations;
