// Serves the web pages and their files: sign-in, link landing, account, and if enabled inbox and admin.
import type { CaptchaSources, CaptchaWidget } from '../../abuse/captcha-provider.ts';
import type { AppScope } from '../../apps/clients/app.ts';
import { notMePath } from '../../auth/notices/notice.ts';
import type { ShownBrand } from '../../brand/brand.ts';
import type { AuditKind } from '../../kernel/audit.ts';
import { html, type Markup } from '../../kernel/text/html.ts';
import { type Language, languages, nameOf } from '../../kernel/text/language.ts';
import { textsIn } from '../../kernel/text/texts.ts';
import type { PerChannel } from '../../messages/channel.ts';
import { adminPage } from '../guards/admin.ts';
import type { HttpReply } from '../server/reply.ts';
import type { Routes } from '../server/server.ts';
import { type Asset, registerAssets } from './assets.ts';
import { languageVary, pageLanguage } from './page-language.ts';
import { type BrandHead, type PageFiles, renderShell } from './page-shell.ts';

type PageName =
  | 'sign-in'
  | 'account'
  | 'link'
  | 'not-me'
  | 'inbox'
  | 'brand'
  | 'admin'
  | 'app-sign-out'
  | 'app-error'
  | 'shared-file';

/** The output of the build. */
export type PageAssets = {
  readonly assets: readonly Asset[];
  readonly pages: Readonly<Record<string, PageFiles>>;
};

/** Every page gets `common`. A scope without a text, or an audit kind without one for the admin page, is a compile error. */
type PageTexts = Readonly<Record<PageName, { readonly title: string }>> & {
  readonly common: { readonly noScript: string; readonly appScopes: Readonly<Record<AppScope, string>> };
  readonly admin: { readonly events: Readonly<Record<AuditKind, string>> };
};

/** The public part of the captcha configuration. */
export type PageCaptcha = {
  readonly provider: string;
  /** The public key from the provider, if the provider uses one. */
  readonly siteKey?: string;
  /** Undefined if our own client solves the captcha. */
  readonly widget?: Pick<CaptchaWidget, 'address' | 'global'>;
};

export type PageParts = {
  readonly brand: ShownBrand;
  /** Local mode: the service runs on the developer's machine. */
  readonly isLocal: boolean;
  readonly captcha: PageCaptcha;
  readonly hasInbox: boolean;
  /** Seconds to wait before each further message. The service enforces the same values. */
  readonly resendAfterSeconds: PerChannel<readonly number[]>;
  /** How long a user who lost the phone waits for the new number. */
  readonly phoneRecoveryWaitSeconds: number;
  /** After this many wrong attempts a code is dead. */
  readonly codeAttempts: number;
  /** How long a deleted file can be restored. 0: there is no trash. */
  readonly trashSeconds: number;
};

/** The parts that the pages' scripts do not get. */
type PageGuards = {
  readonly head: BrandHead;
  readonly captchaSources: CaptchaSources | undefined;
  /** Throws NOT_FOUND if the admin page is not in use. */
  readonly requireAdminEnabled: () => Promise<void>;
};

const noSources: CaptchaSources = { script: [], frame: [], connect: [] };

/** Sends a page that depends on the request: its facts may hold a ticket, so nobody may keep it. */
export type PageSender = (
  reply: HttpReply,
  name: PageName,
  language: Language,
  facts: Readonly<Record<string, unknown>>,
  /** What a browser without JavaScript shows. Default: that the page needs JavaScript. */
  withoutScript?: Markup,
) => HttpReply;

const paths: readonly (readonly [PageName, string])[] = [
  ['sign-in', '/'],
  ['account', '/account'],
  ['link', '/login/link'],
  ['not-me', notMePath],
  ['inbox', '/inbox'],
  ['admin', adminPage],
];

/** The admin page shows user data, and the address of a shared file opens it: no captcha provider's script may run there. */
const pagesWithoutCaptcha: readonly PageName[] = ['admin', 'shared-file'];

export function createPageSender(
  built: PageAssets,
  { requireAdminEnabled: _, captchaSources = noSources, head, ...parts }: PageParts & PageGuards,
): PageSender {
  const policyOf = createPolicies(captchaSources);
  return (reply, name, language, facts, withoutScript) =>
    reply
      .headers({ 'content-security-policy': policyOf(name), vary: `${languageVary}, Origin` })
      .type('text/html; charset=utf-8')
      .send(render(name, language, { built, head, parts }, facts, withoutScript));
}

export function registerPageRoutes(
  server: Routes,
  built: PageAssets,
  { requireAdminEnabled, captchaSources = noSources, head, ...parts }: PageParts & PageGuards,
): void {
  registerAssets(server, built.assets);
  const policyOf = createPolicies(captchaSources);
  for (const [name, path] of paths) {
    if (name === 'inbox' && !parts.hasInbox) continue;
    const rendered = new Map<Language, string>();
    server.get(path, async (request, reply) => {
      const language = pageLanguage(request);
      if (name === 'admin') await requireAdminEnabled();
      const page = rendered.get(language) ?? render(name, language, { built, head, parts });
      rendered.set(language, page);
      return reply
        .headers({
          'content-security-policy': policyOf(name),
          'cache-control': 'no-cache',
          vary: `${languageVary}, Origin`,
        })
        .type('text/html; charset=utf-8')
        .send(page);
    });
  }
}

function createPolicies(captchaSources: CaptchaSources): (name: PageName) => string {
  const policy = writePolicy(captchaSources);
  const withoutCaptcha = writePolicy(noSources);
  return (name) => (pagesWithoutCaptcha.includes(name) ? withoutCaptcha : policy);
}

function render(
  name: PageName,
  language: Language,
  { built, head, parts }: { readonly built: PageAssets; readonly head: BrandHead; readonly parts: PageParts },
  own: Readonly<Record<string, unknown>> = {},
  withoutScript?: Markup,
): string {
  const texts: PageTexts = textsIn(language).pages;
  const { common, [name]: shown } = texts;
  const files = built.pages[name];
  if (files === undefined) throw new Error(`the page ${name} was not built`);
  return renderShell({
    language,
    title: shown.title,
    brand: head,
    withoutScript: withoutScript ?? html`<p class="no-script">${common.noScript}</p>`,
    files,
    facts: {
      ...parts,
      language,
      languages: languages.map((each) => [each, nameOf(each)]),
      captchaWorker: built.pages['captcha-worker']?.script,
      texts: { ...common, ...shown },
      ...own,
    },
  });
}

function writePolicy({ script, frame, connect }: CaptchaSources): string {
  return [
    "default-src 'none'",
    `script-src ${["'self'", ...script].join(' ')}`,
    "style-src 'self'",
    `connect-src ${["'self'", ...connect].join(' ')}`,
    "img-src 'self' data: blob:",
    "media-src 'self'",
    "worker-src 'self'",
    `frame-src ${["'self'", ...frame].join(' ')}`,
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; ');
}
