// Every operation by name: what a driver is asked for, on whichever thread it runs.
import { countAttempt } from './attempts.ts';
import { recordAudit } from './audit.ts';
import { bindEmail, findOwner } from './bindings.ts';
import { deleteFile, fileUsage, findFile, listAllFiles, listFiles } from './files.ts';
import { keepInInbox, listInbox } from './inbox.ts';
import { findLink, issueLink } from './links.ts';
import { claimMessages, finishMessages, measureOutbox, parkMessages, retryMessages } from './outbox.ts';
import { peekSend, requestSend } from './send-requests.ts';
import { endedSince, endSessions, listSessions, rotateSession } from './sessions.ts';
import { signInWithLink, signInWithPhone } from './sign-ins.ts';
import { addSigningKey, listSigningKeys } from './signing-keys.ts';
import { sweepTable } from './sweep.ts';
import { holdUpload, releaseUpload, reserveUpload, settleUpload } from './uploads.ts';
import { deleteUser, findUser } from './users.ts';

export const operations = {
  addSigningKey,
  bindEmail,
  claimMessages,
  countAttempt,
  deleteFile,
  deleteUser,
  endedSince,
  endSessions,
  fileUsage,
  findFile,
  findLink,
  findOwner,
  findUser,
  finishMessages,
  holdUpload,
  issueLink,
  keepInInbox,
  listAllFiles,
  listFiles,
  listInbox,
  listSessions,
  listSigningKeys,
  measureOutbox,
  parkMessages,
  peekSend,
  recordAudit,
  releaseUpload,
  requestSend,
  reserveUpload,
  retryMessages,
  rotateSession,
  settleUpload,
  signInWithLink,
  signInWithPhone,
  sweepTable,
} as const;

export type OperationName = keyof typeof operations;
export type InputOf<N extends OperationName> = Parameters<(typeof operations)[N]['run']>[1][number];
export type OutputOf<N extends OperationName> = Awaited<ReturnType<(typeof operations)[N]['run']>>[number];
