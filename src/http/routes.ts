// Creates every route for apps from its dependencies.

import type { LimitRule } from '../abuse/limits.ts';
import type { AppDeps } from '../apps/deps.ts';
import type { AuthDeps } from '../auth/deps.ts';
import type { FileDeps } from '../files/deps.ts';
import type { InboxStore } from '../messages/inbox.ts';
import type { CookieWriter } from './interface/cookies.ts';
import { allowAppRoute } from './routes/auth/allow-app.ts';
import { bindEmailRoute } from './routes/auth/bind-email.ts';
import { cancelPhoneChangeRoute } from './routes/auth/cancel-phone-change.ts';
import { captchaChallengeRoute } from './routes/auth/captcha-challenge.ts';
import { changePhoneRoute } from './routes/auth/change-phone.ts';
import { checkLinkRoute } from './routes/auth/check-link.ts';
import { claimPhoneRoute } from './routes/auth/claim-phone.ts';
import { deleteAccountRoute } from './routes/auth/delete-account.ts';
import { endSessionRoute } from './routes/auth/end-session.ts';
import { listAllowedAppsRoute } from './routes/auth/list-allowed-apps.ts';
import { listSessionsRoute } from './routes/auth/list-sessions.ts';
import { meRoute } from './routes/auth/me.ts';
import { proveSessionRoute } from './routes/auth/prove-session.ts';
import { refreshTokenPairRoute } from './routes/auth/refresh-token-pair.ts';
import { removeEmailRoute } from './routes/auth/remove-email.ts';
import { reportNotMeRoute } from './routes/auth/report-not-me.ts';
import { sendBindingOtpRoute } from './routes/auth/send-binding-otp.ts';
import { sendLoginLinkRoute } from './routes/auth/send-login-link.ts';
import { sendPhoneChangeOtpRoute } from './routes/auth/send-phone-change-otp.ts';
import { sendPhoneOtpRoute } from './routes/auth/send-phone-otp.ts';
import { sendProofOtpRoute } from './routes/auth/send-proof-otp.ts';
import { showPhoneChangeRoute } from './routes/auth/show-phone-change.ts';
import { signInWithLinkRoute } from './routes/auth/sign-in-with-link.ts';
import { signInWithPhoneRoute } from './routes/auth/sign-in-with-phone.ts';
import { signOutRoute } from './routes/auth/sign-out.ts';
import { withdrawAppRoute } from './routes/auth/withdraw-app.ts';
import { appendUploadRoute } from './routes/files/append-upload.ts';
import { cancelUploadRoute } from './routes/files/cancel-upload.ts';
import { createFileLinkRoute } from './routes/files/create-link.ts';
import { createCreationReceiver } from './routes/files/create-upload.ts';
import { deleteFileRoute } from './routes/files/delete-file.ts';
import { emptyTrashRoute } from './routes/files/empty-trash.ts';
import { getFileRoute } from './routes/files/get-file.ts';
import { listFilesRoute } from './routes/files/list-files.ts';
import { listFileLinksRoute } from './routes/files/list-links.ts';
import { listPurposesRoute } from './routes/files/list-purposes.ts';
import { listFileReadersRoute } from './routes/files/list-readers.ts';
import { listTrashRoute } from './routes/files/list-trash.ts';
import { listUploadsRoute } from './routes/files/list-uploads.ts';
import { createUploadReceiver } from './routes/files/receive-upload.ts';
import { removeFromTrashRoute } from './routes/files/remove-from-trash.ts';
import { restoreFileRoute } from './routes/files/restore-file.ts';
import { revokeFileLinkRoute, revokeFileLinksRoute } from './routes/files/revoke-links.ts';
import { createContentSender } from './routes/files/send-content.ts';
import { setFileReadersRoute } from './routes/files/set-readers.ts';
import { showFileRoute } from './routes/files/show-file.ts';
import { showUploadRoute } from './routes/files/show-upload.ts';
import { uploadFileRoute } from './routes/files/upload-file.ts';
import { inboxRoute } from './routes/inbox.ts';
import { deleteUserFileRoute } from './routes/service/delete-user-file.ts';
import { getUserFileRoute } from './routes/service/get-user-file.ts';
import { listUserFilesRoute } from './routes/service/list-user-files.ts';
import { showUserFileRoute } from './routes/service/show-user-file.ts';
import { uploadUserFileRoute } from './routes/service/upload-user-file.ts';
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
