// Every operation by name. A driver runs them by this name, on its own thread where it has one.
import { endAdmin, enterAdmin, findAdmin, hasAdmins, issueAdmin, listAdmins, touchAdmin } from './admins.ts';
import { recordAudit } from './audit.ts';
import { listAudit } from './audit-listing.ts';
import { bindEmail, findOwner, removeEmail } from './bindings.ts';
import {
  advanceBlobSweep,
  claimBlobSweep,
  forgetOrphans,
  listOwnOrphans,
  noteOrphans,
  noteOwnOrphans,
  readBlobSweep,
  recountBlobSweep,
} from './blob-sweeps.ts';
import { deleteFile, fileUsage, findFile, isFileStored, listAllFiles, listFiles } from './files.ts';
import { keepInInbox, listInbox } from './inbox.ts';
import { adoptInstallation, claimInstallation, findInstallation, measureInstallation } from './installation.ts';
import { findLastEvent, listJournal, tryWriting } from './journal.ts';
import { clearLimits, listLimits, readLimit } from './limits.ts';
import { findLink, issueLink } from './links.ts';
import {
  claimMessages,
  finishMessages,
  finishSentMessages,
  measureOutbox,
  parkMessages,
  retryMessages,
} from './outbox.ts';
import { listOutbox, resendMessage } from './outbox-entries.ts';
import { noteSuspension, requestSend } from './send-requests.ts';
import { endedSince, endSessions, listSessions, rotateSession } from './sessions.ts';
import { signInWithLink, signInWithPhone } from './sign-ins.ts';
import { addSigningKey, listSigningKeys, removeSigningKey } from './signing-keys.ts';
import { sweepTable } from './sweep.ts';
import { holdUpload, releaseUpload, reserveUpload, settleUpload } from './uploads.ts';
import { actOnUsers, searchUsers } from './user-directory.ts';
import { deleteUser, findUser } from './users.ts';
import { listWebhooks, replayWebhooks } from './webhook-entries.ts';
import {
  claimWebhooks,
  finishWebhooks,
  isWebhookDue,
  measureWebhooks,
  parkWebhooks,
  releaseWebhooks,
  retryWebhooks,
} from './webhooks.ts';

export const operations = {
  actOnUsers,
  addSigningKey,
  adoptInstallation,
  advanceBlobSweep,
  bindEmail,
  claimBlobSweep,
  claimInstallation,
  claimMessages,
  claimWebhooks,
  clearLimits,
  deleteFile,
  deleteUser,
  endAdmin,
  endedSince,
  endSessions,
  enterAdmin,
  fileUsage,
  findAdmin,
  findFile,
  findInstallation,
  findLastEvent,
  findLink,
  findOwner,
  searchUsers,
  findUser,
  finishMessages,
  finishSentMessages,
  finishWebhooks,
  forgetOrphans,
  hasAdmins,
  holdUpload,
  isFileStored,
  issueAdmin,
  issueLink,
  isWebhookDue,
  keepInInbox,
  listAdmins,
  listAllFiles,
  listAudit,
  listFiles,
  listInbox,
  listJournal,
  listLimits,
  listOutbox,
  listOwnOrphans,
  listSessions,
  listSigningKeys,
  listWebhooks,
  measureInstallation,
  measureOutbox,
  measureWebhooks,
  noteOrphans,
  noteOwnOrphans,
  noteSuspension,
  parkMessages,
  parkWebhooks,
  readBlobSweep,
  readLimit,
  recordAudit,
  recountBlobSweep,
  releaseUpload,
  removeEmail,
  releaseWebhooks,
  removeSigningKey,
  replayWebhooks,
  requestSend,
  resendMessage,
  reserveUpload,
  retryMessages,
  retryWebhooks,
  rotateSession,
  settleUpload,
  signInWithLink,
  signInWithPhone,
  sweepTable,
  touchAdmin,
  tryWriting,
} as const;

export type OperationName = keyof typeof operations;
export type InputOf<N extends OperationName> = Parameters<(typeof operations)[N]['run']>[1][number];
export type OutputOf<N extends OperationName> = Awaited<ReturnType<(typeof operations)[N]['run']>>[number];
