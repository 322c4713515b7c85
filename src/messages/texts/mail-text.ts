// The text and HTML of an e-mail: one column, no images, readable in all mail clients and in light and dark mode.
import { html, type Markup, toText } from '../../kernel/text/html.ts';
import { directionOf, isolateIn, type Language, localeOf } from '../../kernel/text/language.ts';
import { textsIn } from '../../kernel/text/texts.ts';
import type { MailTopic } from '../message-kinds.ts';
import { type MessageLook, messageTextsIn, type OperatorLinks, usualLook } from './message-look.ts';
import { fillIn, type TextValues } from './message-texts.ts';

export type Mail = { readonly subject: string; readonly text: string; readonly html: string };

export function writeLoginLinkMail(language: Language, values: TextValues, url: string, look = usualLook): Mail {
  const texts = messageTextsIn(language, look.texts).mail.loginLink;
  return writeMail(language, texts, values, linkTo(url, fillIn(language, texts.button, values), look), look);
}

/** A link as text, and as a button above its address. */
function linkTo(url: string, button: string, { colours }: MessageLook): { text: string; html: Markup } {
  return {
    text: url,
    html: html`<p style="margin:24px 0"><a href="${url}" style="display:inline-block;padding:12px 24px;border-radius:8px;background:${colours.accent};color:${colours.onAccent};text-decoration:none;font-weight:600">${button}</a></p><p dir="ltr" style="margin:0 0 24px;font-size:13px;word-break:break-all;text-align:start"><a class="name" href="${url}" style="color:${colours.accent}">${url}</a></p>`,
  };
}

type NoticeValues = {
  readonly brand: string;
  readonly account: string;
  readonly at: number;
  /** Empty if it is unknown. */
  readonly device: string;
  /** The masked new number. Absent if the notice is about no number. */
  readonly number?: string | undefined;
  /** Whether the link undoes nothing. */
  readonly isFinal?: true | undefined;
};

/** `url`: the link “this was not me”. */
export function writeNoticeMail(
  language: Language,
  topic: MailTopic,
  values: NoticeValues,
  url: string,
  look = usualLook,
): Mail {
  const { button, note, unknownDevice, ...topics } = messageTextsIn(language, look.texts).mail.notice;
  const { brand, account, number = '', at } = values;
  const device = values.device === '' ? fillIn(language, unknownDevice, { brand }) : values.device;
  const filled = {
    brand,
    account: isolateIn(language, account),
    device: isolateIn(language, device),
    number: isolateIn(language, number),
    time: isolateIn(language, formatTime(language, at)),
  };
  const texts = values.isFinal ? { ...topics[topic], note } : { note, ...topics[topic] };
  return writeMail(language, texts, filled, linkTo(url, fillIn(language, button, filled), look), look);
}

/** In UTC, and said so: the service does not know where the recipient is. */
function formatTime(language: Language, at: number): string {
  const form = { dateStyle: 'long', timeStyle: 'short', timeZone: 'UTC' } as const;
  return `${new Intl.DateTimeFormat(localeOf(language), form).format(at)} UTC`;
}

export function writeBindingMail(language: Language, values: CodeValues, look = usualLook): Mail {
  return writeCodeMail(language, messageTextsIn(language, look.texts).mail.bindingOtp, values, look);
}

export function writeProofMail(language: Language, values: CodeValues, look = usualLook): Mail {
  return writeCodeMail(language, messageTextsIn(language, look.texts).mail.proofOtp, values, look);
}

type CodeValues = TextValues & { readonly code: string };

function writeCodeMail(language: Language, texts: MailTexts, values: CodeValues, look: MessageLook): Mail {
  const core = {
    text: values.code,
    html: html`<p dir="ltr" style="margin:24px 0;font-size:32px;font-weight:700;letter-spacing:6px;font-family:monospace">${values.code}</p>`,
  };
  return writeMail(language, texts, values, core, look);
}

export function writeReplacedMail(language: Language, values: TextValues, look = usualLook): Mail {
  return writeMail(language, messageTextsIn(language, look.texts).mail.emailReplaced, values, undefined, look);
}

type MailTexts = { readonly subject: string; readonly lead: string; readonly note: string };

function writeMail(
  language: Language,
  texts: MailTexts,
  values: TextValues,
  core: { text: string; html: Markup } | undefined,
  look: MessageLook,
): Mail {
  const subject = fillIn(language, texts.subject, values);
  const lead = fillIn(language, texts.lead, values);
  const note = fillIn(language, texts.note, values);
  const links = listLinks(language, look.links);
  const foot = [values.brand, ...links.map(({ label, shown }) => `${label}: ${shown}`)].join('\n');
  const paragraphs = [lead, ...(core === undefined ? [] : [core.text]), note, foot];
  return {
    subject,
    text: `${paragraphs.join('\n\n')}\n`,
    html: page({ language, subject, lead, core: core?.html, note, brand: values.brand, links, look }),
  };
}

type MailLink = { readonly label: string; readonly href: string; readonly shown: string };

/** In plain text, an e-mail address is shown without its scheme. */
function listLinks(language: Language, links: OperatorLinks): readonly MailLink[] {
  const { terms, privacy, support } = textsIn(language).pages.common;
  const all = [
    [links.support, support],
    [links.terms, terms],
    [links.privacy, privacy],
  ] as const;
  return all.flatMap(([href, label]) => (href === null ? [] : [{ label, href, shown: href.replace(/^mailto:/, '') }]));
}

type MailPage = {
  readonly language: Language;
  readonly subject: string;
  readonly lead: string;
  readonly core: Markup | undefined;
  readonly note: string;
  readonly brand: string;
  readonly links: readonly MailLink[];
  readonly look: MessageLook;
};

/** Inline styles, because many mail clients read no others. The style element is for dark ones. */
function page({ language, subject, lead, core, note, brand, links, look: { colours } }: MailPage): string {
  const direction = directionOf(language);
  return toText(html`<!doctype html>
<html lang="${language}" dir="${direction}"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><meta name="color-scheme" content="light dark"><title>${subject}</title>
<style>@media (prefers-color-scheme:dark){.name{color:${colours.dark}!important}.quiet,.quiet a{color:#a3abb9!important}}</style></head>
<body lang="${language}" dir="${direction}" style="margin:0;padding:24px;font-family:-apple-system,Segoe UI,Roboto,Helvetica,Arial,sans-serif;font-size:16px;line-height:1.5">
<table role="presentation" dir="${direction}" width="100%" cellpadding="0" cellspacing="0" border="0" style="max-width:480px;margin:0 auto"><tr><td>
<p class="name" style="margin:0 0 16px;font-size:18px;font-weight:700;color:${colours.accent}">${brand}</p>
<p style="margin:0 0 16px">${lead}</p>
${core}
<p class="quiet" style="margin:24px 0 0;font-size:13px;color:#6b7280">${note}</p>
${links.length === 0 ? undefined : footOf(brand, links)}
</td></tr></table></body></html>
`);
}

function footOf(brand: string, links: readonly MailLink[]): Markup {
  const parts = links.map(
    ({ href, label, shown }) =>
      html` · <a href="${href}" style="color:#6b7280">${href.startsWith('mailto:') ? shown : label}</a>`,
  );
  return html`<p class="quiet" style="margin:24px 0 0;padding:16px 0 0;border-top:1px solid #d3d7df;font-size:13px;color:#6b7280">${brand}${parts}</p>`;
}
