// Every route, made from the parts it needs.
import type { AuthDeps } from '../auth/deps.ts';
import type { InboxStore } from '../delivery/inbox.ts';
import type { FileDeps } from '../files/deps.ts';
import type { LimitRule } from '../guard/limits.ts';
import type { CookieWriter } from './cookies.ts';
import type { DeliveryMode } from './file-delivery.ts';
import { bindEmailRoute } from './routes/bind-email.ts';
import { captchaChallengeRoute } from './routes/captcha-challenge.ts';
import { checkLinkRoute } from './routes/check-link.ts';
import { deleteAccountRoute } from './routes/delete-account.ts';
import { deleteFileRoute } from './routes/delete-file.ts';
import { endSessionRoute } from './routes/end-session.ts';
import { getFileRoute } from './routes/get-file.ts';
import { inboxRoute } from './routes/inbox.ts';
import { listFilesRoute } from './routes/list-files.ts';
import { listPurposesRoute } from './routes/list-purposes.ts';
import { listSessionsRoute } from './routes/list-sessions.ts';
import { logInWithLinkRoute } from './routes/log-in-with-link.ts';
import { logInWithPhoneRoute } from './routes/log-in-with-phone.ts';
import { logOutRoute } from './routes/log-out.ts';
import { meRoute } from './routes/me.ts';
import { refreshTokenPairRoute } from './routes/refresh-token-pair.ts';
import { sendBindingOtpRoute } from './routes/send-binding-otp.ts';
import { sendLoginLinkRoute } from './routes/send-login-link.ts';
import { sendPhoneOtpRoute } from './routes/send-phone-otp.ts';
import { showFileRoute } from './routes/show-file.ts';
import { uploadFileRoute } from './routes/upload-file.ts';

export type Routes = ReturnType<typeof createRoutes>;

export type RouteParts = {
  readonly auth: AuthDeps;
  readonly files: FileDeps;
  readonly cookies: CookieWriter;
  /** Undefined where no message ends in the inbox. */
  readonly inbox: InboxStore | undefined;
  readonly delivery: DeliveryMode;
  readonly uploadsPerUser: readonly LimitRule[];
  readonly isStopping: () => boolean;
};

export function createRoutes({ auth: deps, files, cookies, inbox, delivery, uploadsPerUser, isStopping }: RouteParts) {
  return {
    captchaChallenge: captchaChallengeRoute(deps),
    sendPhoneOtp: sendPhoneOtpRoute(deps, cookies),
    logInWithPhone: logInWithPhoneRoute(deps, cookies),
    sendLoginLink: sendLoginLinkRoute(deps, cookies),
    logInWithLink: logInWithLinkRoute(deps, cookies),
    checkLink: checkLinkRoute(deps),
    sendBindingOtp: sendBindingOtpRoute(deps, cookies),
    bindEmail: bindEmailRoute(deps),
    refreshTokenPair: refreshTokenPairRoute(deps, cookies),
    logOut: logOutRoute(deps, cookies),
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
