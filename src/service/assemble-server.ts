// Composition: creates the HTTP server with all its guards, routes and pages.

import type { CaptchaWidget } from '../abuse/captcha-provider.ts';
import { findCaptchaProvider } from '../adapters/providers.ts';
import { createAppOrigins } from '../apps/clients/app-origins.ts';
import type { AppDeps } from '../apps/deps.ts';
import { writeSingleSignOn } from '../apps/single-sign-on.ts';
import { createAppAccessCheck } from '../apps/tokens/check-app-access.ts';
import type { AuthDeps } from '../auth/deps.ts';
import type { SessionId } from '../auth/sessions/session-id.ts';
import { createAccessCheck } from '../auth/tokens/check-access-token.ts';
import { createServiceKeyCheck } from '../backend/check-service-key.ts';
import type { BackendDeps } from '../backend/deps.ts';
import { showBrand } from '../brand/brand.ts';
import type { Config } from '../config/config.ts';
import type { FileDeps } from '../files/deps.ts';
import type { AdminDeps } from '../http/admin-table.ts';
import { createAccessGuard } from '../http/guards/access.ts';
import { createAdminGuards, createAdminHiding } from '../http/guards/admin.ts';
import { createBackendGuard } from '../http/guards/backend.ts';
import { createBrowserGuard } from '../http/guards/browser.ts';
import { createHostGuard } from '../http/guards/host.ts';
import { createOriginGuard } from '../http/guards/origin.ts';
import { createRateGuard } from '../http/guards/rate.ts';
import { createRecentGuard } from '../http/guards/recent.ts';
import { createCookieWriter } from '../http/interface/cookies.ts';
import { registerOAuthRoutes } from '../http/oauth/oauth-routes.ts';
import { registerBrandPreview } from '../http/pages/brand-preview.ts';
import { describeHead, registerBrandRoutes } from '../http/pages/brand-routes.ts';
import { type DocsFiles, registerDocsRoutes } from '../http/pages/docs-routes.ts';
import { type ElementFiles, registerElementRoutes } from '../http/pages/element-routes.ts';
import { registerInboxMail } from '../http/pages/inbox-mail.ts';
import { createPageSender, type PageAssets, type PageCaptcha, registerPageRoutes } from '../http/pages/page-routes.ts';
import { createProblemPages } from '../http/pages/problem-page.ts';
import { registerRoutes } from '../http/register-routes.ts';
import { createRouteTable } from '../http/route-table.ts';
import { registerUploadOffer } from '../http/routes/files/resumable/offer-uploads.ts';
import { registerProbeRoutes } from '../http/routes/probe-routes.ts';
import type { AnsweredRequest } from '../http/server/answered-request.ts';
import { createClientAddress, createFromCheck } from '../http/server/client-address.ts';
import type { Listener } from '../http/server/connections/listener.ts';
import type { HttpServer } from '../http/server/server.ts';
import { createHttpServer } from '../http/server/server.ts';
import type { ServerTimes } from '../http/server/server-times.ts';
import type { Log } from '../kernel/process/telemetry.ts';
import { channels, perChannel } from '../messages/channel.ts';
import type { InboxStore } from '../messages/inbox.ts';
import { previewBrand } from './preview-brand.ts';

type ServedParts = {
  readonly front: Listener;
  readonly auth: AuthDeps;
  readonly files: FileDeps;
  readonly apps: AppDeps;
  readonly backend: BackendDeps & AdminDeps;
  readonly inbox: InboxStore;
  readonly pages: PageAssets;
  /** Undefined if the build lacks it. */
  readonly docs: DocsFiles | undefined;
  readonly element: ElementFiles;
  /** The style sheet of the page about a problem. */
  readonly problemStyle: string;
  readonly log: Log;
  readonly onAnswered: (answer: AnsweredRequest) => void;
  readonly isStopping: () => boolean;
  /** Throws when the store does not answer. */
  readonly askStore: () => Promise<void>;
  readonly times: ServerTimes;
};

export function assembleServer(config: Config, parts: ServedParts): HttpServer {
  const { publicUrl, corsOrigins, brand } = config;
  const { front, auth, files, apps, backend, inbox, log, onAnswered, isStopping, askStore } = parts;
  const clientAddress = createClientAddress(config.trustedProxies);
  const countAddress = createRateGuard(config.requestsPerIp, 'requests-per-ip');
  const shownBrand = showBrand(brand);
  const head = describeHead(brand);
  const server = createHttpServer({
    front,
    publicUrl,
    problemPages: createProblemPages(brand, parts.problemStyle),
    clientAddress,
    corsOrigins,
    isHidden: createAdminHiding(createFromCheck(config.adminFrom, config.trustedProxies)),
    isAppOrigin: createAppOrigins(apps.apps.all),
    countAddress,
    log,
    onAnswered,
    isStopping,
    // Clients go on with another node, at the offset that they get.
    onClosing: files.runningUploads.stop,
    times: parts.times,
  });
  const hasInbox = channels.some((channel) => config.isInbox[channel]);
  const signId = (sessionId: SessionId) => writeSingleSignOn(auth.secrets, sessionId);
  const cookies = createCookieWriter(publicUrl.startsWith('https:'), apps.apps.all.length > 0 ? signId : undefined);
  const checkAccess = createAppAccessCheck(createAccessCheck(auth), apps.apps);
  const table = createRouteTable({
    auth,
    files,
    apps,
    backend,
    checkAccess,
    cookies,
    publicUrl,
    inbox: hasInbox ? inbox : undefined,
    delivery: config.files.delivery,
    uploadsPerUser: config.uploadsPerUser,
    isStopping,
  });
  const access = createAccessGuard(checkAccess);
  const host = createHostGuard(publicUrl);
  const admin = createAdminGuards(backend, createOriginGuard(publicUrl, []));
  const origin = createOriginGuard(publicUrl, corsOrigins);
  const backendGuard = createBackendGuard({
    check: createServiceKeyCheck(backend),
    isFromAllowed: createFromCheck(config.serviceFrom, config.trustedProxies),
    countKey: createRateGuard(config.requestsPerKey, 'requests-per-key'),
    countAddress,
  });
  const [browser, recent] = [createBrowserGuard(auth.secrets), createRecentGuard(auth)];
  const guards = { access, origin, browser, recent, host, admin, backend: backendGuard };
  const { widget } = findCaptchaProvider(config.captcha.scheme);
  const pageParts = {
    brand: shownBrand,
    isLocal: config.mode === 'local',
    captcha: publicCaptcha(config.captcha, widget),
    captchaSources: widget?.sources,
    hasInbox,
    resendAfterSeconds: perChannel((channel) => config.sends[channel].resendAfterSeconds),
    phoneRecoveryWaitSeconds: config.phoneRecoveryWaitSeconds,
    codeAttempts: config.otp.sms.attempts,
    trashSeconds: config.files.trashSeconds,
    requireAdminEnabled: admin.requireAdminEnabled,
    head,
  };
  const sendPage = createPageSender(parts.pages, pageParts);
  registerRoutes(server, table, guards, sendPage, parts.times);
  registerUploadOffer(server, files);
  registerProbeRoutes(server, { keyRing: auth.keyRing, table, publicUrl, isStopping, askStore });
  registerBrandRoutes(server, brand);
  const has = { inbox: hasInbox, scanner: files.scanning !== undefined };
  if (parts.docs !== undefined) registerDocsRoutes(server, { ...parts.docs, brand: head, has });
  registerPageRoutes(server, parts.pages, pageParts);
  registerElementRoutes(server, parts.element, pageParts);
  const countApp = createRateGuard(config.requestsPerKey, 'requests-per-key');
  registerOAuthRoutes(server, {
    deps: apps,
    publicUrl,
    cookies,
    checkAccess,
    sendPage,
    // An id may look like an IP address, and would then be counted by its network too.
    countApp: (id) => countApp(`app ${id}`),
    countAddress,
  });
  if (hasInbox) registerInboxMail(server, inbox, host);
  if (config.mode === 'local')
    registerBrandPreview(server, { readBrand: () => previewBrand(config), publicUrl, sendPage, host });
  return server;
}

/** The id of the provider URL is the public site key. The secret of the URL must not reach a page. */
function publicCaptcha({ scheme, id }: Config['captcha'], widget: CaptchaWidget | undefined): PageCaptcha {
  return {
    provider: scheme,
    ...(id !== '' && { siteKey: id }),
    ...(widget !== undefined && { widget: { address: widget.address, global: widget.global } }),
  };
}
