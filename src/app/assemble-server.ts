// Composition: creates the HTTP server with all its guards, routes and pages.
import type { FastifyInstance } from 'fastify';
import type { CaptchaWidget } from '../abuse/captcha-provider.ts';
import { findCaptchaProvider } from '../adapters/providers.ts';
import { createAccessCheck } from '../auth/check-access-token.ts';
import type { AuthDeps } from '../auth/deps.ts';
import type { Config } from '../config/config.ts';
import type { FileDeps } from '../files/deps.ts';
import { createAdminTable } from '../http/admin-table.ts';
import { type DocsFiles, registerDocsRoutes } from '../http/docs/docs-routes.ts';
import { createAccessGuard } from '../http/guards/access.ts';
import { createAdminGuards } from '../http/guards/admin.ts';
import { createHostGuard } from '../http/guards/host.ts';
import { createOriginGuard } from '../http/guards/origin.ts';
import { createCookieWriter } from '../http/interface/cookies.ts';
import { registerInboxMail } from '../http/pages/inbox-mail.ts';
import { type PageAssets, type PageCaptcha, registerPageRoutes } from '../http/pages/page-routes.ts';
import { registerRoutes } from '../http/register-routes.ts';
import { createRouteTable } from '../http/route-table.ts';
import { registerServiceRoutes } from '../http/routes/service-routes.ts';
import { createRoutes } from '../http/routes.ts';
import { createClientAddress } from '../http/server/client-address.ts';
import type { Listener } from '../http/server/listener.ts';
import { type AnsweredRequest, createHttpServer } from '../http/server/server.ts';
import type { ServerTimes } from '../http/server/server-times.ts';
import type { Log } from '../kernel/telemetry.ts';
import type { InboxStore } from '../messages/inbox.ts';
import type { SupportDeps } from '../support/deps.ts';

export type ServedParts = {
  readonly front: Listener;
  readonly auth: AuthDeps;
  readonly files: FileDeps;
  readonly support: SupportDeps;
  readonly inbox: InboxStore;
  readonly pages: PageAssets;
  readonly docs: DocsFiles;
  readonly log: Log;
  readonly onAnswered: (answer: AnsweredRequest) => void;
  readonly isStopping: () => boolean;
  /** Throws when the store does not answer. */
  readonly askStore: () => Promise<void>;
  readonly times: ServerTimes;
};

export function assembleServer(config: Config, parts: ServedParts): FastifyInstance {
  const { publicUrl, corsOrigins, requestsPerIp, brandName } = config;
  const { front, auth, files, support, inbox, log, onAnswered, isStopping, askStore } = parts;
  const clientAddress = createClientAddress(config.trustedProxies);
  const server = createHttpServer({
    front,
    publicUrl,
    clientAddress,
    corsOrigins,
    requestsPerIp,
    log,
    onAnswered,
    isStopping,
    times: parts.times,
  });
  const hasInbox = config.sms.isInbox || config.mail.isInbox;
  const cookies = createCookieWriter(publicUrl.startsWith('https:'));
  const routes = createRoutes({
    auth,
    files,
    cookies,
    inbox: hasInbox ? inbox : undefined,
    delivery: config.files.delivery,
    uploadsPerUser: config.uploadsPerUser,
    isStopping,
  });
  const table = [...createRouteTable(routes), ...createAdminTable(support, cookies)];
  const access = createAccessGuard(createAccessCheck(auth));
  const host = createHostGuard(publicUrl);
  const admin = createAdminGuards(support, createOriginGuard(publicUrl, []));
  const guards = { access, origin: createOriginGuard(publicUrl, corsOrigins), host, admin };
  registerRoutes(server, table, guards, parts.times);
  registerServiceRoutes(server, { keyRing: auth.keyRing, table, publicUrl, isStopping, askStore });
  registerDocsRoutes(server, table, brandName, parts.docs);
  const { sms, mail } = config.sends;
  const { widget } = findCaptchaProvider(config.captcha.scheme);
  registerPageRoutes(server, parts.pages, {
    brandName,
    captcha: publicCaptcha(config.captcha, widget),
    captchaSources: widget?.sources,
    hasInbox,
    resendAfterSeconds: { sms: sms.resendAfterSeconds, mail: mail.resendAfterSeconds },
    requireAdminEnabled: admin.requireAdminEnabled,
  });
  if (hasInbox) registerInboxMail(server, inbox, host);
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
