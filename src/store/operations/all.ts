// Every operation by name. A driver runs them by this name, on its own thread where it has one.

import { clearLimits, listLimits, readLimit } from './abuse/limits.ts';
import { authorizeApp, exchangeCode } from './apps/app-codes.ts';
import { endAppSession, listConsents, saveConsent, withdrawConsent } from './apps/app-consents.ts';
import { recordAudit } from './audit.ts';
import { listAudit } from './audit-listing.ts';
import { bindEmail, findOwner, removeEmail } from './auth/bindings.ts';
import { findLink, issueLink } from './auth/links.ts';
import { redeemNotice } from './auth/notice-links.ts';
import { admitNoticeSms } from './auth/notices.ts';
import { changePhone } from './auth/phone-changes.ts';
import { claimPhone } from './auth/phone-claims.ts';
import {
  applyPhoneChanges,
  cancelPhoneChange,
  countDuePhoneChanges,
  findPhoneChange,
} from './auth/scheduled-phones.ts';
import { noteSuspension, requestSend } from './auth/send-requests.ts';
import { proveSession } from './auth/session-proofs.ts';
import { endedSince, endSessions, listSessions, rotateSession } from './auth/sessions.ts';
import { signInWithLink, signInWithPhone } from './auth/sign-ins.ts';
import { addSigningKey, listSigningKeys, removeSigningKey } from './auth/signing-keys.ts';
import { actOnUsers, findLastUse, searchUsers } from './auth/user-directory.ts';
import { deleteUser } from './auth/users.ts';
import { changeUserData, findBackendUser, listBackendUsers } from './backend/backend-users.ts';
import { placeEvents, readEvents } from './backend/event-log.ts';
import {
  createServiceKey,
  listLiveServiceKeys,
  listServiceKeys,
  revokeServiceKey,
  rotateServiceKey,
  touchServiceKey,
} from './backend/service-keys.ts';
import { exportUsers } from './backend/user-exports.ts';
import { importUsers, previewImport } from './backend/user-imports.ts';
import {
  advanceBlobSweep,
  claimBlobSweep,
  forgetOrphans,
  noteOrphans,
  readBlobSweep,
  recountBlobSweep,
} from './files/blob-sweeps.ts';
import { forgetUploadParts, knownUploads, listEndedUploads } from './files/ended-uploads.ts';
import { countFileLinkUse, createFileLink, listFileLinks, revokeFileLinks } from './files/file-links.ts';
import { listFileReaders, setFileReaders } from './files/file-readers.ts';
import { deleteFile, findFileRecord, isFileStored, listAllFiles, listFiles } from './files/files.ts';
import { adoptInstallation, claimInstallation, findInstallation, measureInstallation } from './files/installation.ts';
import { listOpenUploads } from './files/open-uploads.ts';
import { endRemovals, isRemovalDue, notePendingFiles, takeRemovals } from './files/removals.ts';
import { hasFileRoom, measureReserved } from './files/reserved-space.ts';
import { advanceResumable, cancelResumable, createResumable, takeResumable } from './files/resumables.ts';
import { emptyTrash, listTrash, measureTrash, removeFromTrash, restoreFile, sweepFiles } from './files/trash.ts';
import { beginUploadFinish, holdUploadFinish, leaveUploadFinish } from './files/upload-finishes.ts';
import { holdUpload, refuseInfectedUpload, releaseUpload, reserveUpload, settleUpload } from './files/uploads.ts';
import { findLastEvent, listJournal, noteJournal, readBackupTimes, tryWriting } from './journal.ts';
import { lookups } from './lookups.ts';
import { listInbox } from './messages/inbox.ts';
import { listStandings, noteStanding } from './messages/node-standings.ts';
import {
  beginMessages,
  claimExpiredMessages,
  claimMessages,
  giveBackMessages,
  measureOutbox,
  retryMessages,
} from './messages/outbox.ts';
import { finishMessages, finishSentMessages, parkMessages, setAsideMessages } from './messages/outbox-ends.ts';
import { listOutbox, resendMessage } from './messages/outbox-entries.ts';
import { endAdmin, enterAdmin, findAdmin, hasAdmins, issueAdmin, listAdmins, touchAdmin } from './support/admins.ts';
import { countEvents, readDayCounts } from './support/day-counts.ts';
import { scheduleStaffPhone } from './support/staff-phones.ts';
import { sweepTable } from './sweep.ts';
import { listWebhooks, replayWebhooks } from './webhooks/webhook-entries.ts';
import { limitWebhooks } from './webhooks/webhook-limits.ts';
import { claimWebhooks, lineUpWebhooks, lookForWebhooks } from './webhooks/webhook-lines.ts';
import { finishWebhooks, measureWebhooks, parkWebhooks, releaseWebhooks, retryWebhooks } from './webhooks/webhooks.ts';

export const operations = {
  ...lookups,
  authorizeApp,
  changeUserData,
  findBackendUser,
  listBackendUsers,
  actOnUsers,
  addSigningKey,
  admitNoticeSms,
  adoptInstallation,
  advanceBlobSweep,
  advanceResumable,
  applyPhoneChanges,
  beginMessages,
  beginUploadFinish,
  bindEmail,
  changePhone,
  cancelPhoneChange,
  cancelResumable,
  claimBlobSweep,
  claimInstallation,
  claimExpiredMessages,
  claimMessages,
  claimPhone,
  claimWebhooks,
  clearLimits,
  countDuePhoneChanges,
  countEvents,
  countFileLinkUse,
  createFileLink,
  createResumable,
  createServiceKey,
  deleteFile,
  deleteUser,
  emptyTrash,
  endAdmin,
  endAppSession,
  endRemovals,
  endedSince,
  endSessions,
  enterAdmin,
  exchangeCode,
  exportUsers,
  findAdmin,
  findFileRecord,
  listFileLinks,
  listFileReaders,
  revokeFileLinks,
  setFileReaders,
  findInstallation,
  findLastEvent,
  noteJournal,
  noteStanding,
  readBackupTimes,
  findLastUse,
  findLink,
  findOwner,
  findPhoneChange,
  searchUsers,
  finishMessages,
  finishSentMessages,
  giveBackMessages,
  finishWebhooks,
  forgetOrphans,
  forgetUploadParts,
  hasAdmins,
  hasFileRoom,
  holdUpload,
  holdUploadFinish,
  importUsers,
  isFileStored,
  isRemovalDue,
  issueAdmin,
  issueLink,
  limitWebhooks,
  lineUpWebhooks,
  knownUploads,
  leaveUploadFinish,
  listAdmins,
  listAllFiles,
  listAudit,
  listConsents,
  listEndedUploads,
  listFiles,
  listInbox,
  listJournal,
  listLimits,
  listLiveServiceKeys,
  listOutbox,
  listServiceKeys,
  listSessions,
  listSigningKeys,
  listStandings,
  listTrash,
  listOpenUploads,
  listWebhooks,
  lookForWebhooks,
  measureInstallation,
  measureOutbox,
  measureReserved,
  measureTrash,
  measureWebhooks,
  noteOrphans,
  notePendingFiles,
  noteSuspension,
  parkMessages,
  parkWebhooks,
  placeEvents,
  previewImport,
  proveSession,
  readBlobSweep,
  readDayCounts,
  readEvents,
  readLimit,
  recordAudit,
  recountBlobSweep,
  redeemNotice,
  refuseInfectedUpload,
  releaseUpload,
  removeEmail,
  removeFromTrash,
  releaseWebhooks,
  removeSigningKey,
  replayWebhooks,
  requestSend,
  resendMessage,
  reserveUpload,
  restoreFile,
  retryMessages,
  setAsideMessages,
  retryWebhooks,
  revokeServiceKey,
  rotateServiceKey,
  rotateSession,
  saveConsent,
  scheduleStaffPhone,
  settleUpload,
  signInWithLink,
  signInWithPhone,
  sweepFiles,
  sweepTable,
  takeRemovals,
  takeResumable,
  touchAdmin,
  touchServiceKey,
  tryWriting,
  withdrawConsent,
} as const;

export type OperationName = keyof typeof operations;
export type InputOf<N extends OperationName> = Parameters<(typeof operations)[N]['run']>[1][number];
export type OutputOf<N extends OperationName> = Awaited<ReturnType<(typeof operations)[N]['run']>>[number];
