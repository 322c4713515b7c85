// Implements the ports of the domain with the store: each method is one operation.

import type { LimitStore } from '../abuse/limit-store.ts';
import type { BindingStore } from '../auth/email-binding.ts';
import type { LinkStore } from '../auth/login-link.ts';
import type { SendRequestStore } from '../auth/send-request.ts';
import type { SessionStore } from '../auth/session.ts';
import type { SignInStore } from '../auth/sign-in.ts';
import type { SigningKeyStore } from '../auth/signing-key.ts';
import type { UserStore } from '../auth/user.ts';
import type { SweepStore } from '../files/blob-sweep.ts';
import type { InstallationStore } from '../files/installation.ts';
import type { FileStore } from '../files/stored-file.ts';
import type { AuditStore } from '../kernel/audit.ts';
import type { InboxStore } from '../messages/inbox.ts';
import type { MessageLogStore } from '../messages/message-log.ts';
import type { OutboxStore } from '../messages/outbox.ts';
import type { AdminStore } from '../support/admin.ts';
import type { UserDirectory } from '../support/user-directory.ts';
import type { WebhookLogStore, WebhookQueue } from '../webhooks/webhook-queue.ts';
import type { Store } from './store.ts';

export type Ports = ReturnType<typeof createPorts>;

export function createPorts({ call }: Pick<Store, 'call'>) {
  const sendRequests: SendRequestStore = {
    request: (request) => call('requestSend', request),
    noteSuspension: (suspension) => call('noteSuspension', suspension),
  };
  const signIns: SignInStore = {
    signInWithPhone: (signIn) => call('signInWithPhone', signIn),
    signInWithLink: (signIn) => call('signInWithLink', signIn),
  };
  const sessions: SessionStore = {
    rotate: (rotation) => call('rotateSession', rotation),
    listSessions: (input) => call('listSessions', input),
    endSessions: (input) => call('endSessions', input),
    endedSince: (since) => call('endedSince', since),
  };
  const users: UserStore = {
    findUser: (id) => call('findUser', id),
    deleteUser: (input) => call('deleteUser', input),
  };
  const links: LinkStore = {
    issueLink: (input) => call('issueLink', input),
    findLink: (input) => call('findLink', input),
  };
  const bindings: BindingStore = {
    bindEmail: (binding) => call('bindEmail', binding),
    findOwner: (emailKey) => call('findOwner', emailKey),
  };
  const signingKeys: SigningKeyStore = {
    listKeys: () => call('listSigningKeys', null),
    addKey: (key) => call('addSigningKey', key),
    removeKey: (removal) => call('removeSigningKey', removal),
  };
  const outbox: OutboxStore = {
    claim: (input) => call('claimMessages', input),
    finish: (id) => call('finishMessages', id),
    finishSent: (input) => call('finishSentMessages', input),
    retry: (input) => call('retryMessages', input),
    park: (input) => call('parkMessages', input),
    measure: () => call('measureOutbox', null),
  };
  const inbox: InboxStore = {
    keep: (message) => call('keepInInbox', message),
    list: (input) => call('listInbox', input),
  };
  const files: FileStore = {
    reserve: (reservation) => call('reserveUpload', reservation),
    settle: (settlement) => call('settleUpload', settlement),
    isStored: (input) => call('isFileStored', input),
    release: (uploadId) => call('releaseUpload', uploadId),
    hold: (input) => call('holdUpload', input),
    findFile: (id) => call('findFile', id),
    listFiles: (input) => call('listFiles', input),
    deleteFile: (input) => call('deleteFile', input),
    usage: (userId) => call('fileUsage', userId),
    listAll: (input) => call('listAllFiles', input),
  };
  const sweeps: SweepStore = {
    claim: (input) => call('claimBlobSweep', input),
    note: (input) => call('noteOrphans', input),
    advance: (step) => call('advanceBlobSweep', step),
    read: () => call('readBlobSweep', null),
    recount: (input) => call('recountBlobSweep', input),
    noteOwn: (input) => call('noteOwnOrphans', input),
    listOwn: (most) => call('listOwnOrphans', most),
    forget: (ids) => call('forgetOrphans', ids),
  };
  const installations: InstallationStore = {
    find: () => call('findInstallation', null),
    claim: (input) => call('claimInstallation', input),
    adopt: (input) => call('adoptInstallation', input),
    measure: () => call('measureInstallation', null),
  };
  const webhooks: WebhookQueue = {
    isDue: (input) => call('isWebhookDue', input),
    claim: (input) => call('claimWebhooks', input),
    finish: (input) => call('finishWebhooks', input),
    retry: (input) => call('retryWebhooks', input),
    release: (input) => call('releaseWebhooks', input),
    park: (input) => call('parkWebhooks', input),
    measure: () => call('measureWebhooks', null),
  };
  return {
    files,
    sendRequests,
    signIns,
    sessions,
    users,
    links,
    bindings,
    signingKeys,
    outbox,
    inbox,
    webhooks,
    sweeps,
    installations,
  };
}

export type OperatorPorts = ReturnType<typeof createOperatorPorts>;

/** The ports for operators and staff. */
export function createOperatorPorts({ call }: Pick<Store, 'call'>) {
  const directory: UserDirectory = {
    searchUsers: (query) => call('searchUsers', query),
    actOn: (input) => call('actOnUsers', input),
  };
  const limits: LimitStore = {
    read: (id) => call('readLimit', id),
    list: (input) => call('listLimits', input),
    clear: (clearing) => call('clearLimits', clearing),
  };
  const messageLog: MessageLogStore = {
    listOutbox: (input) => call('listOutbox', input),
    resend: (input) => call('resendMessage', input),
  };
  const audit: AuditStore = {
    record: (event) => call('recordAudit', event),
    list: (query) => call('listAudit', query),
  };
  const admins: AdminStore = {
    issue: (draft) => call('issueAdmin', draft),
    enter: (input) => call('enterAdmin', input),
    find: (sessionHash) => call('findAdmin', sessionHash),
    touch: (input) => call('touchAdmin', input),
    end: (input) => call('endAdmin', input),
    list: (most) => call('listAdmins', most),
    hasAny: () => call('hasAdmins', null),
  };
  const webhookLog: WebhookLogStore = {
    list: (input) => call('listWebhooks', input),
    replay: (input) => call('replayWebhooks', input),
  };
  return { directory, limits, messageLog, audit, admins, webhookLog };
}
