// The text and HTML of an e-mail: one column, no images, readable in all mail clients and in light and dark mode.
import { html, type Markup, toText } from '../kernel/html.ts';
import { directionOf, isolateIn, type Language, localeOf, textsIn } from '../kernel/language.ts';
import type { MailTopic } from './message-kinds.ts';
import { fillIn, type TextValues } from './message-texts.ts';

export type Mail = { readonly subject: string; readonly text: string; readonly html: string };

export function writeLoginLinkMail(language: Language, values: TextValues, url: string): Mail {
  const texts = textsIn(language).mail.loginLink;
  return writeMail(language, texts, values, linkTo(url, fillIn(language, texts.button, values)));
}

/** A link as text, and as a button above its address. */
function linkTo(url: string, button: string): { text: string; html: Markup } {
  return {
    text: url,
    html: html`<p style="margin:24px 0"><a href="${url}" style="display:inline-block;padding:12px 24px;border-radius:8px;background:#1f5eff;color:#ffffff;text-decoration:none;font-weight:600">${button}</a></p><p dir="ltr" style="margin:0 0 24px;font-size:13px;word-break:break-all;text-align:start"><a href="${url}">${url}</a></p>`,
  };
}

export type NoticeValues = {
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
export function writeNoticeMail(language: Language, topic: MailTopic, values: NoticeValues, url: string): Mail {
  const { button, note, unknownDevice, ...topics } = textsIn(language).mail.notice;
  const { brand, account, number = '', at } = values;
  const device = values.device === '' ? unknownDevice : values.device;
  const filled = {
    brand,
    account: isolateIn(language, account),
    device: isolateIn(language, device),
    number: isolateIn(language, number),
    time: isolateIn(language, formatTime(language, at)),
  };
  const texts = values.isFinal ? { ...topics[topic], note } : { note, ...topics[topic] };
  return writeMail(language, texts, filled, linkTo(url, button));
}

/** In UTC, and said so: the service does not know where the recipient is. */
function formatTime(language: Language, at: number): string {
  const form = { dateStyle: 'long', timeStyle: 'short', timeZone: 'UTC' } as const;
  return `${new Intl.DateTimeFormat(localeOf(language), form).format(at)} UTC`;
}

export function writeBindingMail(language: Language, values: CodeValues): Mail {
  return writeCodeMail(language, textsIn(language).mail.bindingOtp, values);
}

export function writeProofMail(language: Language, values: CodeValues): Mail {
  return writeCodeMail(language, textsIn(language).mail.proofOtp, values);
}

type CodeValues = TextValues & { readonly code: string };

function writeCodeMail(language: Language, texts: MailTexts, values: CodeValues): Mail {
  return writeMail(language, texts, values, {
    text: values.code,
    html: html`<p dir="ltr" style="margin:24px 0;font-size:32px;font-weight:700;letter-spacing:6px;font-family:monospace">${values.code}</p>`,
  });
}

export function writeReplacedMail(language: Language, values: TextValues): Mail {
  return writeMail(language, textsIn(language).mail.emailReplaced, values, undefined);
}

type MailTexts = { readonly subject: string; readonly lead: string; readonly note: string };

function writeMail(
  language: Language,
  texts: MailTexts,
  values: TextValues,
  core: { text: string; html: Markup } | undefined,
): Mail {
  const subject = fillIn(language, texts.subject, values);
  const lead = fillIn(language, texts.lead, values);
  const note = fillIn(language, texts.note, values);
  const paragraphs = [lead, ...(core === undefined ? [] : [core.text]), note, values.brand];
  return {
    subject,
    text: `${paragraphs.join('\n\n')}\n`,
    html: page(language, subject, lead, core?.html, note, values.brand),
  };
}

function page(
  language: Language,
  subject: string,
  lead: string,
  core: Markup | undefined,
  note: string,
  brand: string,
): string {
  const direction = directionOf(language);
  return toText(html`<!doctype html>
<html lang="${language}" dir="${direction}"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><meta name="color-scheme" content="light dark"><title>${subject}</title></head>
<body lang="${language}" dir="${direction}" style="margin:0;padding:24px;font-family:-apple-system,Segoe UI,Roboto,Helvetica,Arial,sans-serif;font-size:16px;line-height:1.5">
<table role="presentation" dir="${direction}" width="100%" cellpadding="0" cellspacing="0" border="0" style="max-width:480px;margin:0 auto"><tr><td>
<p style="margin:0 0 16px;font-weight:700">${brand}</p>
<p style="margin:0 0 16px">${lead}</p>
${core}
<p style="margin:24px 0 0;font-size:13px;color:#6b7280">${note}</p>
</td></tr></table></body></html>
`);
}
