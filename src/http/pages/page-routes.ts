// Serves the web pages and their files: sign-in, link landing, account, and if enabled inbox and admin.
import type { FastifyInstance } from 'fastify';
import type { CaptchaSources, CaptchaWidget } from '../../abuse/captcha-provider.ts';
import type { AuditKind } from '../../kernel/audit.ts';
import { type Language, textsIn } from '../../kernel/language.ts';
import { type Asset, registerAssets } from './assets.ts';
import { type PageFiles, renderShell } from './page-shell.ts';

type PageName = 'sign-in' | 'account' | 'link' | 'inbox' | 'admin';

/** The output of the build. */
export type PageAssets = {
  readonly assets: readonly Asset[];
  readonly pages: Readonly<Record<string, PageFiles>>;
};

/** Every page gets `common`. An audit kind without a text for the admin page is a compile error. */
type PageTexts = Readonly<Record<PageName, { readonly title: string }>> & {
  readonly common: { readonly noScript: string };
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
  readonly brandName: string;
  readonly captcha: PageCaptcha;
  readonly hasInbox: boolean;
  /** Seconds to wait before each further message. The service enforces the same values. */
  readonly resendAfterSeconds: { readonly sms: readonly number[]; readonly mail: readonly number[] };
};

/** The parts that the pages' scripts do not get. */
export type PageGuards = {
  readonly captchaSources: CaptchaSources | undefined;
  /** Throws NOT_FOUND if the admin page is not in use. */
  readonly requireAdminEnabled: () => Promise<void>;
};

const noSources: CaptchaSources = { script: [], frame: [], connect: [] };

const paths: readonly (readonly [PageName, string])[] = [
  ['sign-in', '/'],
  ['account', '/account'],
  ['link', '/login/link'],
  ['inbox', '/inbox'],
  ['admin', '/admin'],
];

export function registerPageRoutes(
  server: FastifyInstance,
  built: PageAssets,
  { requireAdminEnabled, captchaSources = noSources, ...parts }: PageParts & PageGuards,
): void {
  registerAssets(server, built.assets);
  const policy = writePolicy(captchaSources);
  // The admin page shows user data, so no captcha provider's script may run there.
  const adminPolicy = writePolicy(noSources);
  for (const [name, path] of paths) {
    if (name === 'inbox' && !parts.hasInbox) continue;
    const rendered = new Map<Language, string>();
    server.get(path, async ({ language }, reply) => {
      if (name === 'admin') await requireAdminEnabled();
      const page = rendered.get(language) ?? render(name, language, built, parts);
      rendered.set(language, page);
      return reply
        .headers({
          'content-security-policy': name === 'admin' ? adminPolicy : policy,
          'cache-control': 'no-cache',
          vary: 'Accept-Language, Origin',
        })
        .type('text/html; charset=utf-8')
        .send(page);
    });
  }
}

function render(name: PageName, language: Language, built: PageAssets, parts: PageParts): string {
  const texts: PageTexts = textsIn(language).pages;
  const { common, [name]: own } = texts;
  const files = built.pages[name];
  if (files === undefined) throw new Error(`the page ${name} was not built`);
  return renderShell({
    language,
    title: own.title,
    brandName: parts.brandName,
    noScript: common.noScript,
    files,
    facts: {
      ...parts,
      language,
      captchaWorker: built.pages['captcha-worker']?.script,
      texts: { ...common, ...own },
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
