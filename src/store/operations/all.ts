// Every operation by name. A driver runs them by this name, on its own thread where it has one.
import { endAdmin, enterAdmin, findAdmin, hasAdmins, issueAdmin, listAdmins, touchAdmin } from './admins.ts';
import { authorizeApp, exchangeCode } from './app-codes.ts';
import { endAppSession, listConsents, saveConsent, withdrawConsent } from './app-consents.ts';
import { recordAudit } from './audit.ts';
import { listAudit } from './audit-listing.ts';
import { bindEmail, findOwner, removeEmail } from './bindings.ts';
import {
  advanceBlobSweep,
  claimBlobSweep,
  forgetOrphans,
  noteOrphans,
  readBlobSweep,
  recountBlobSweep,
} from './blob-sweeps.ts';
import { countEvents, readDayCounts } from './day-counts.ts';
import { forgetUploadParts, knownUploads, listEndedUploads } from './ended-uploads.ts';
import { placeEvents, readEvents } from './event-log.ts';
import { countFileLinkUse, createFileLink, listFileLinks, revokeFileLinks } from './file-links.ts';
import { listFileReaders, setFileReaders } from './file-readers.ts';
import { deleteFile, findFileRecord, isFileStored, listAllFiles, listFiles } from './files.ts';
import { listInbox } from './inbox.ts';
import { adoptInstallation, claimInstallation, findInstallation, measureInstallation } from './installation.ts';
import { findLastEvent, listJournal, noteJournal, readBackupTimes, tryWriting } from './journal.ts';
import { clearLimits, listLimits, readLimit } from './limits.ts';
import { findLink, issueLink } from './links.ts';
import { lookups } from './lookups.ts';
import { listStandings, noteStanding } from './node-standings.ts';
import { redeemNotice } from './notice-links.ts';
import { admitNoticeSms } from './notices.ts';
import { listOpenUploads } from './open-uploads.ts';
import {
  beginMessages,
  claimExpiredMessages,
  claimMessages,
  giveBackMessages,
  measureOutbox,
  retryMessages,
} from './outbox.ts';
import { finishMessages, finishSentMessages, parkMessages, setAsideMessages } from './outbox-ends.ts';
import { listOutbox, resendMessage } from './outbox-entries.ts';
import { changePhone } from './phone-changes.ts';
import { claimPhone } from './phone-claims.ts';
import { endRemovals, isRemovalDue, notePendingFiles, takeRemovals } from './removals.ts';
import { hasFileRoom, measureReserved } from './reserved-space.ts';
import { advanceResumable, cancelResumable, createResumable, takeResumable } from './resumables.ts';
import { applyPhoneChanges, cancelPhoneChange, countDuePhoneChanges, findPhoneChange } from './scheduled-phones.ts';
import { noteSuspension, requestSend } from './send-requests.ts';
import {
  createServiceKey,
  listLiveServiceKeys,
  listServiceKeys,
  revokeServiceKey,
  rotateServiceKey,
  touchServiceKey,
} from './service-keys.ts';
import { changeUserData, findServiceUser, listServiceUsers } from './service-users.ts';
import { proveSession } from './session-proofs.ts';
import { endedSince, endSessions, listSessions, rotateSession } from './sessions.ts';
import { signInWithLink, signInWithPhone } from './sign-ins.ts';
import { addSigningKey, listSigningKeys, removeSigningKey } from './signing-keys.ts';
import { scheduleStaffPhone } from './staff-phones.ts';
import { sweepTable } from './sweep.ts';
import { emptyTrash, listTrash, measureTrash, removeFromTrash, restoreFile, sweepFiles } from './trash.ts';
import { beginUploadFinish, holdUploadFinish, leaveUploadFinish } from './upload-finishes.ts';
import { holdUpload, refuseInfectedUpload, releaseUpload, reserveUpload, settleUpload } from './uploads.ts';
import { actOnUsers, findLastUse, searchUsers } from './user-directory.ts';
import { exportUsers } from './user-exports.ts';
import { importUsers, previewImport } from './user-imports.ts';
import { deleteUser } from './users.ts';
import { listWebhooks, replayWebhooks } from './webhook-entries.ts';
import { limitWebhooks } from './webhook-limits.ts';
import { claimWebhooks, lineUpWebhooks, lookForWebhooks } from './webhook-lines.ts';
import { finishWebhooks, measureWebhooks, parkWebhooks, releaseWebhooks, retryWebhooks } from './webhooks.ts';

export const operations = {
  ...lookups,
  authorizeApp,
  changeUserData,
  findServiceUser,
  listServiceUsers,
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
