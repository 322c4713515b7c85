// Creates every route for apps from its dependencies.

import type { LimitRule } from '../abuse/limits.ts';
import type { AuthDeps } from '../auth/deps.ts';
import type { FileDeps } from '../files/deps.ts';
import type { InboxStore } from '../messages/inbox.ts';
import type { CookieWriter } from './interface/cookies.ts';
import { bindEmailRoute } from './routes/auth/bind-email.ts';
import { captchaChallengeRoute } from './routes/auth/captcha-challenge.ts';
import { checkLinkRoute } from './routes/auth/check-link.ts';
import { deleteAccountRoute } from './routes/auth/delete-account.ts';
import { endSessionRoute } from './routes/auth/end-session.ts';
import { listSessionsRoute } from './routes/auth/list-sessions.ts';
import { meRoute } from './routes/auth/me.ts';
import { refreshTokenPairRoute } from './routes/auth/refresh-token-pair.ts';
import { sendBindingOtpRoute } from './routes/auth/send-binding-otp.ts';
import { sendLoginLinkRoute } from './routes/auth/send-login-link.ts';
import { sendPhoneOtpRoute } from './routes/auth/send-phone-otp.ts';
import { signInWithLinkRoute } from './routes/auth/sign-in-with-link.ts';
import { signInWithPhoneRoute } from './routes/auth/sign-in-with-phone.ts';
import { signOutRoute } from './routes/auth/sign-out.ts';
import { deleteFileRoute } from './routes/files/delete-file.ts';
import { getFileRoute } from './routes/files/get-file.ts';
import { listFilesRoute } from './routes/files/list-files.ts';
import { listPurposesRoute } from './routes/files/list-purposes.ts';
import { showFileRoute } from './routes/files/show-file.ts';
import { uploadFileRoute } from './routes/files/upload-file.ts';
import { inboxRoute } from './routes/inbox.ts';
import type { FileServing } from './transfer/serve-file.ts';

export type Routes = ReturnType<typeof createRoutes>;

export type RouteParts = {
  readonly auth: AuthDeps;
  readonly files: FileDeps;
  readonly cookies: CookieWriter;
  /** Undefined if no messages are captured. */
  readonly inbox: InboxStore | undefined;
  readonly delivery: FileServing;
  readonly uploadsPerUser: readonly LimitRule[];
  readonly isStopping: () => boolean;
};

export function createRoutes({ auth: deps, files, cookies, inbox, delivery, uploadsPerUser, isStopping }: RouteParts) {
  return {
    captchaChallenge: captchaChallengeRoute(deps),
    sendPhoneOtp: sendPhoneOtpRoute(deps, cookies),
    signInWithPhone: signInWithPhoneRoute(deps, cookies),
    sendLoginLink: sendLoginLinkRoute(deps, cookies),
    signInWithLink: signInWithLinkRoute(deps, cookies),
    checkLink: checkLinkRoute(deps),
    sendBindingOtp: sendBindingOtpRoute(deps, cookies),
    bindEmail: bindEmailRoute(deps),
    refreshTokenPair: refreshTokenPairRoute(deps, cookies),
    signOut: signOutRoute(deps, cookies),
    me: meRoute(deps),
    deleteAccount: deleteAccountRoute(deps, cookies),
    listSessions: listSessionsRoute(deps),
    endSession: endSessionRoute(deps, cookies),
    uploadFile: uploadFileRoute(files, uploadsPerUser),
    getFile: getFileRoute(files, delivery),
    listPurposes: listPurposesRoute(files),
    listFiles: listFilesRoute(files),
    showFile: showFileRoute(files),
    deleteFile: deleteFileRoute(files),
    inbox: inbox === undefined ? undefined : inboxRoute({ inbox, isStopping }),
  };
}
