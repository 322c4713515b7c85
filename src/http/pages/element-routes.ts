// Serves the sign-in element for pages of any origin: its script, the worker of its captcha, and its texts in one language.
import { sha256 } from '../../kernel/crypto/digest.ts';
import { directionOf, type Language } from '../../kernel/text/language.ts';
import { textsIn } from '../../kernel/text/texts.ts';
import { paths } from '../interface/paths.ts';
import type { HttpReply } from '../server/reply.ts';
import type { HttpRequest } from '../server/request.ts';
import type { Routes } from '../server/server.ts';
import { type Asset, createChoice } from './assets.ts';
import type { PageParts } from './page-routes.ts';

/** The files that the build creates from client/src/element/. */
export type ElementFiles = {
  readonly files: readonly Asset[];
  /** `DE49 0 48;IT39  37;…`: country, calling code, trunk prefix and groups of digits. */
  readonly countries: string;
};

type Facts = Pick<PageParts, 'hasInbox' | 'resendAfterSeconds'>;

/** Short, because the names of these files do not change with their content. The tag makes a repetition cheap. */
const caching = { 'cache-control': 'public, max-age=600', 'cross-origin-resource-policy': 'cross-origin' };

const names = [
  'title',
  'phoneLead',
  'phone',
  'sendCode',
  'useEmail',
  'codeTitle',
  'change',
  'code',
  'sentTo',
  'resend',
  'resendIn',
  'sentAgain',
  'emailTitle',
  'emailLead',
  'email',
  'sendLink',
  'usePhone',
  'mailedTitle',
  'mailedLead',
  'otherEmail',
  'recycledTitle',
  'recycledLead',
  'recycledMine',
  'recycledNew',
  'claimQuestion',
  'claimLead',
  'claimYes',
] as const;
const commonNames = ['offline', 'signIn', 'cancel', 'country', 'phoneInvalid', 'codeShort', 'openInbox'] as const;

export function registerElementRoutes(server: Routes, { files, countries }: ElementFiles, facts: Facts): void {
  for (const { path, type, ...content } of files) {
    const choose = createChoice(content);
    const tag = sha256(content.plain);
    server.get(path, async (request, reply) => {
      const { coding, body } = choose(request.headers['accept-encoding']?.toString());
      reply.headers({ ...caching, vary: 'Accept-Encoding' }).type(type);
      if (isKnown(request, reply, `"${tag}-${coding ?? 'plain'}"`)) return reply.code(304).send();
      if (coding !== undefined) reply.header('content-encoding', coding);
      return reply.send(body);
    });
  }
  const made = new Map<Language, { readonly body: string; readonly tag: string }>();
  server.get(paths.elementTexts, async (request, reply) => {
    const { language } = request;
    const { body, tag } = made.get(language) ?? withTag(describe(language, countries, facts));
    made.set(language, { body, tag });
    reply.headers({ ...caching, vary: 'Accept-Language' }).type('application/json; charset=utf-8');
    if (isKnown(request, reply, tag)) return reply.code(304).send();
    return reply.send(body);
  });
}

/** Everything that the element shows or must know. Everything here is public. */
function describe(language: Language, countries: string, { hasInbox, resendAfterSeconds }: Facts): string {
  const { common, 'sign-in': signIn } = textsIn(language).pages;
  const texts = {
    ...Object.fromEntries(names.map((name) => [name, signIn[name]])),
    ...Object.fromEntries(commonNames.map((name) => [name, common[name]])),
    done: signIn.app.doneTitle,
  };
  const direction = directionOf(language);
  return JSON.stringify({ language, direction, hasInbox, resendAfterSeconds, countries, texts });
}

function withTag(body: string): { body: string; tag: string } {
  return { body, tag: `"${sha256(body)}"` };
}

function isKnown(request: HttpRequest, reply: HttpReply, tag: string): boolean {
  reply.header('etag', tag);
  return request.headers['if-none-match']?.includes(tag) === true;
}
