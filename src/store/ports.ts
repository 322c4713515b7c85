// Implements the ports of the domain with the store: each method is one operation.

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
import type { ExportStore } from '../backend/export-user.ts';
import type { ImportStore } from '../backend/import-user.ts';
import type { ServiceKeyStore } from '../backend/service-key.ts';
import type { WebhookLogStore, WebhookQueue } from '../backend/webhooks/webhook-queue.ts';
import type { FileStore } from '../files/stored-file.ts';
import type { AuditStore } from '../kernel/audit.ts';
import type { StandingStore } from '../messages/delivery/node-standing.ts';
import type { InboxStore } from '../messages/inbox.ts';
import type { MessageLogStore } from '../messages/message-log.ts';
import type { OutboxStore } from '../messages/outbox.ts';
import type { DayCountStore } from '../support/day-counts.ts';
import type { AdminStore } from '../support/staff/admin.ts';
import type { StaffPhoneStore } from '../support/users/staff-phone.ts';
import { createFilePorts, untilRoom } from './file-ports.ts';
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
    claimPhone: (claim) => call('claimPhone', claim),
  };
  const sessions: SessionStore = {
    rotate: (rotation) => call('rotateSession', rotation),
    listSessions: (input) => call('listSessions', input),
    endSessions: (input) => call('endSessions', input),
    endedSince: (since) => call('endedSince', since),
  };
  const proofs: ProofStore = { prove: (proof) => call('proveSession', proof) };
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
    removeEmail: (removal) => call('removeEmail', removal),
  };
  const phones: PhoneStore = { changePhone: (change) => call('changePhone', change) };
  const notices: NoticeStore = {
    redeemNotice: (input) => call('redeemNotice', input),
    admitNoticeSms: (check) => call('admitNoticeSms', check),
  };
  const scheduledPhones: ScheduledPhoneStore = {
    findPhoneChange: (userId) => call('findPhoneChange', userId),
    cancelPhoneChange: (cancellation) => call('cancelPhoneChange', cancellation),
    countDuePhoneChanges: (input) => call('countDuePhoneChanges', input),
    applyPhoneChanges: (round) => call('applyPhoneChanges', round),
  };
  const signingKeys: SigningKeyStore = {
    listKeys: () => call('listSigningKeys', null),
    addKey: (key) => call('addSigningKey', key),
    removeKey: (removal) => call('removeSigningKey', removal),
  };
  const outbox: OutboxStore = {
    claim: (input) => call('claimMessages', input),
    claimExpired: (input) => call('claimExpiredMessages', input),
    finish: (id) => call('finishMessages', id),
    finishSent: (messages) => call('finishSentMessages', messages),
    giveBack: (messages) => call('giveBackMessages', messages),
    begin: (messages) => call('beginMessages', messages),
    retry: (input) => call('retryMessages', input),
    park: (input) => call('parkMessages', input),
    setAside: (input) => call('setAsideMessages', input),
    measure: () => call('measureOutbox', null),
  };
  const inbox: InboxStore = {
    list: (input) => call('listInbox', input),
  };
  const files: FileStore = {
    hasRoom: (question) => call('hasFileRoom', question),
    reserve: (reservation) => untilRoom(() => call('reserveUpload', reservation)),
    settle: (settlement) => untilRoom(() => call('settleUpload', settlement)),
    refuseInfected: (infection) => call('refuseInfectedUpload', infection),
    isStored: (input) => call('isFileStored', input),
    release: (uploadId) => call('releaseUpload', uploadId),
    hold: (input) => call('holdUpload', input),
    findFile: (input) => call('findFile', input),
    findRecord: (id) => call('findFileRecord', id),
    listFiles: (input) => call('listFiles', input),
    deleteFile: (deletion) => call('deleteFile', deletion),
    usage: (userId) => call('fileUsage', userId),
    measureReserved: (input) => call('measureReserved', input),
    listAll: (input) => call('listAllFiles', input),
  };
  const webhooks: WebhookQueue = {
    look: (input) => call('lookForWebhooks', input),
    lineUp: (input) => call('lineUpWebhooks', input),
    claim: (input) => call('claimWebhooks', input),
    finish: (input) => call('finishWebhooks', input),
    retry: (input) => call('retryWebhooks', input),
    release: (input) => call('releaseWebhooks', input),
    park: (input) => call('parkWebhooks', input),
    limit: (input) => call('limitWebhooks', input),
    measure: () => call('measureWebhooks', null),
  };
  const appStore: AppStore = {
    authorize: (authorization) => call('authorizeApp', authorization),
    exchangeCode: (exchange) => call('exchangeCode', exchange),
    endSession: (ending) => call('endAppSession', ending),
    saveConsent: (consent) => call('saveConsent', consent),
    listConsents: (userId) => call('listConsents', userId),
    withdrawConsent: (input) => call('withdrawConsent', input),
  };
  const backendUsers: BackendUserStore = {
    find: (key) => call('findBackendUser', key),
    list: (input) => call('listBackendUsers', input),
    change: (change) => call('changeUserData', change),
    checkSession: (input) => call('checkSession', input),
  };
  return {
    files,
    ...createFilePorts({ call }),
    sendRequests,
    signIns,
    sessions,
    proofs,
    users,
    links,
    bindings,
    phones,
    notices,
    scheduledPhones,
    signingKeys,
    outbox,
    inbox,
    webhooks,
    backendUsers,
    appStore,
  };
}

export type OperatorPorts = ReturnType<typeof createOperatorPorts>;

/** The ports for operators and staff. */
export function createOperatorPorts({ call }: Pick<Store, 'call'>) {
  const directory: UserDirectory & StaffPhoneStore = {
    searchUsers: (query) => call('searchUsers', query),
    actOn: (input) => call('actOnUsers', input),
    schedulePhone: (change) => call('scheduleStaffPhone', change),
    findLastUse: (userId) => call('findLastUse', userId),
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
  const dayCounts: DayCountStore = {
    countEvents: (step) => call('countEvents', step),
    readDayCounts: (range) => call('readDayCounts', range),
  };
  const standings: StandingStore = {
    note: (standing) => call('noteStanding', standing),
    list: (input) => call('listStandings', input),
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
  const serviceKeys: ServiceKeyStore = {
    create: (draft) => call('createServiceKey', draft),
    rotate: (rotation) => call('rotateServiceKey', rotation),
    revoke: (revocation) => call('revokeServiceKey', revocation),
    touch: (use) => call('touchServiceKey', use),
    listLive: (now) => call('listLiveServiceKeys', now),
    list: (most) => call('listServiceKeys', most),
  };
  const webhookLog: WebhookLogStore = {
    list: (input) => call('listWebhooks', input),
    replay: (input) => call('replayWebhooks', input),
  };
  const events: EventStore = {
    read: (query) => call('readEvents', query),
    placeAndRead: (query) => call('placeEvents', query),
  };
  const imports: ImportStore = {
    importUsers: (batch) => call('importUsers', batch),
    previewImport: (batch) => call('previewImport', batch),
  };
  const exports: ExportStore = { listExported: (page) => call('exportUsers', page) };
  return {
    directory,
    limits,
    messageLog,
    audit,
    dayCounts,
    standings,
    admins,
    serviceKeys,
    webhookLog,
    events,
    imports,
    exports,
  };
}
