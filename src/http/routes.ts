// Creates every route for apps from its dependencies.

import type { LimitRule } from '../abuse/limits.ts';
import type { AppDeps } from '../apps/deps.ts';
import type { AuthDeps } from '../auth/deps.ts';
import type { FileDeps } from '../files/deps.ts';
import type { InboxStore } from '../messages/inbox.ts';
import type { CookieWriter } from './interface/cookies.ts';
import { allowAppRoute } from './routes/auth/apps/allow-app.ts';
import { listAllowedAppsRoute } from './routes/auth/apps/list-allowed-apps.ts';
import { withdrawAppRoute } from './routes/auth/apps/withdraw-app.ts';
import { bindEmailRoute } from './routes/auth/bind-email.ts';
import { cancelPhoneChangeRoute } from './routes/auth/cancel-phone-change.ts';
import { changePhoneRoute } from './routes/auth/change-phone.ts';
import { captchaChallengeRoute } from './routes/auth/codes/captcha-challenge.ts';
import { sendPhoneOtpRoute } from './routes/auth/codes/send-phone-otp.ts';
import { sendProofOtpRoute } from './routes/auth/codes/send-proof-otp.ts';
import { deleteAccountRoute } from './routes/auth/delete-account.ts';
import { checkLinkRoute } from './routes/auth/links/check-link.ts';
import { sendLoginLinkRoute } from './routes/auth/links/send-login-link.ts';
import { meRoute } from './routes/auth/me.ts';
import { reportNotMeRoute } from './routes/auth/notices/report-not-me.ts';
import { removeEmailRoute } from './routes/auth/remove-email.ts';
import { sendBindingOtpRoute } from './routes/auth/send-binding-otp.ts';
import { sendPhoneChangeOtpRoute } from './routes/auth/send-phone-change-otp.ts';
import { endSessionRoute } from './routes/auth/sessions/end-session.ts';
import { listSessionsRoute } from './routes/auth/sessions/list-sessions.ts';
import { proveSessionRoute } from './routes/auth/sessions/prove-session.ts';
import { signOutRoute } from './routes/auth/sessions/sign-out.ts';
import { showPhoneChangeRoute } from './routes/auth/show-phone-change.ts';
import { claimPhoneRoute } from './routes/auth/sign-in/claim-phone.ts';
import { signInWithLinkRoute } from './routes/auth/sign-in/sign-in-with-link.ts';
import { signInWithPhoneRoute } from './routes/auth/sign-in/sign-in-with-phone.ts';
import { refreshTokenPairRoute } from './routes/auth/tokens/refresh-token-pair.ts';
import { deleteUserFileRoute } from './routes/backend/delete-user-file.ts';
import { getUserFileRoute } from './routes/backend/get-user-file.ts';
import { listUserFilesRoute } from './routes/backend/list-user-files.ts';
import { showUserFileRoute } from './routes/backend/show-user-file.ts';
import { uploadUserFileRoute } from './routes/backend/upload-user-file.ts';
import { getFileRoute } from './routes/files/get-file.ts';
import { listFilesRoute } from './routes/files/list-files.ts';
import { listPurposesRoute } from './routes/files/list-purposes.ts';
import { appendUploadRoute } from './routes/files/resumable/append-upload.ts';
import { cancelUploadRoute } from './routes/files/resumable/cancel-upload.ts';
import { createCreationReceiver } from './routes/files/resumable/create-upload.ts';
import { listUploadsRoute } from './routes/files/resumable/list-uploads.ts';
import { showUploadRoute } from './routes/files/resumable/show-upload.ts';
import { createContentSender } from './routes/files/send-content.ts';
import { createFileLinkRoute } from './routes/files/sharing/create-link.ts';
import { listFileLinksRoute } from './routes/files/sharing/list-links.ts';
import { listFileReadersRoute } from './routes/files/sharing/list-readers.ts';
import { revokeFileLinkRoute, revokeFileLinksRoute } from './routes/files/sharing/revoke-links.ts';
import { setFileReadersRoute } from './routes/files/sharing/set-readers.ts';
import { showFileRoute } from './routes/files/show-file.ts';
import { deleteFileRoute } from './routes/files/trash/delete-file.ts';
import { emptyTrashRoute } from './routes/files/trash/empty-trash.ts';
import { listTrashRoute } from './routes/files/trash/list-trash.ts';
import { removeFromTrashRoute } from './routes/files/trash/remove-from-trash.ts';
import { restoreFileRoute } from './routes/files/trash/restore-file.ts';
import { createUploadReceiver } from './routes/files/uploads/receive-upload.ts';
import { uploadFileRoute } from './routes/files/uploads/upload-file.ts';
import { inboxRoute } from './routes/inbox.ts';
import type { FileServing } from './transfer/serve-file.ts';

export type Routes = ReturnType<typeof createRoutes>;

export type RouteParts = {
  readonly auth: AuthDeps;
  readonly files: FileDeps;
  readonly apps: AppDeps;
  readonly cookies: CookieWriter;
  readonly publicUrl: string;
  /** Undefined if no messages are captured. */
  readonly inbox: InboxStore | undefined;
  readonly delivery: FileServing;
  readonly uploadsPerUser: readonly LimitRule[];
  readonly isStopping: () => boolean;
};

export function createRoutes({
  auth: deps,
  files,
  apps,
  cookies,
  publicUrl,
  inbox,
  delivery,
  uploadsPerUser,
  isStopping,
}: RouteParts) {
  // One cache of small files and one of variants, whoever asks.
  const sharing = { ...files, secrets: deps.secrets };
  const sendContent = createContentSender(sharing, delivery);
  const receiveUpload = createUploadReceiver(files);
  return {
    captchaChallenge: captchaChallengeRoute(deps),
    sendPhoneOtp: sendPhoneOtpRoute(deps, cookies),
    signInWithPhone: signInWithPhoneRoute(deps, cookies),
    claimPhone: claimPhoneRoute(deps, cookies),
    sendLoginLink: sendLoginLinkRoute(deps, cookies),
    signInWithLink: signInWithLinkRoute(deps, cookies),
    checkLink: checkLinkRoute(deps, apps.apps),
    sendBindingOtp: sendBindingOtpRoute(deps, cookies),
    bindEmail: bindEmailRoute(deps),
    removeEmail: removeEmailRoute(deps),
    sendPhoneChangeOtp: sendPhoneChangeOtpRoute(deps, cookies),
    changePhone: changePhoneRoute(deps, cookies),
    showPhoneChange: showPhoneChangeRoute(deps),
    cancelPhoneChange: cancelPhoneChangeRoute(deps),
    reportNotMe: reportNotMeRoute(deps),
    allowApp: allowAppRoute(apps),
    refreshTokenPair: refreshTokenPairRoute(deps, cookies),
    signOut: signOutRoute(deps, cookies),
    sendProofOtp: sendProofOtpRoute(deps, cookies),
    proveSession: proveSessionRoute(deps, cookies),
    me: meRoute(deps),
    deleteAccount: deleteAccountRoute(deps, cookies),
    listSessions: listSessionsRoute(apps),
    endSession: endSessionRoute(deps, cookies),
    listAllowedApps: listAllowedAppsRoute(apps),
    withdrawApp: withdrawAppRoute(apps),
    getFile: getFileRoute(sharing, sendContent),
    uploadFile: uploadFileRoute(files, receiveUpload, createCreationReceiver(files), uploadsPerUser),
    appendUpload: appendUploadRoute(files),
    showUpload: showUploadRoute(files),
    cancelUpload: cancelUploadRoute(files),
    listPurposes: listPurposesRoute(files),
    listFiles: listFilesRoute(files),
    showFile: showFileRoute(files),
    deleteFile: deleteFileRoute(files),
    listTrash: listTrashRoute(files),
    listUploads: listUploadsRoute(files),
    restoreFile: restoreFileRoute(files),
    emptyTrash: emptyTrashRoute(files),
    removeFromTrash: removeFromTrashRoute(files),
    listUserFiles: listUserFilesRoute({ files: files.files, clock: files.clock, users: deps.users }),
    createFileLink: createFileLinkRoute(sharing, publicUrl),
    listFileLinks: listFileLinksRoute(files),
    revokeFileLinks: revokeFileLinksRoute(files),
    revokeFileLink: revokeFileLinkRoute(files),
    setFileReaders: setFileReadersRoute(files),
    listFileReaders: listFileReadersRoute(files),
    showUserFile: showUserFileRoute(files),
    getUserFile: getUserFileRoute(files, sendContent),
    uploadUserFile: uploadUserFileRoute(files, receiveUpload),
    deleteUserFile: deleteUserFileRoute(files),
    inbox: inbox === undefined ? undefined : inboxRoute({ inbox, isStopping }),
  };
}
