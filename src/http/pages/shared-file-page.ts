// The facts of the page of a shared file, and the same page for browsers without JavaScript.

import { isAlwaysAttached, isMediaType, mediaTypes, shortNameOf } from '#media/media-type';
import type { OpenedLink } from '../../files/sharing/open-link.ts';
import { html, type Markup } from '../../kernel/text/html.ts';
import type { Language } from '../../kernel/text/language.ts';
import { textsIn } from '../../kernel/text/texts.ts';
import { linkedFileUrl } from '../interface/paths.ts';

/** The fact `sharedFile` of the page shared-file. */
export type SharedFileFacts = {
  readonly name: string | null;
  readonly size: number;
  readonly type: string;
  /** ISO 8601. */
  readonly expiresAt: string;
  /** How many downloads are left. Null: any number. */
  readonly usesLeft: number | null;
  readonly downloadUrl: string;
  /** Null if the browser cannot show the file in place, or if that would use the link up. */
  readonly previewUrl: string | null;
};

/** The variant that shows a picture on the page, if its purpose has it. */
const shownVariant = 'preview';

export function describeSharedFile(
  { file, link, variants }: Pick<OpenedLink, 'file' | 'link' | 'variants'>,
  token: string,
): SharedFileFacts {
  const url = linkedFileUrl(file.id, token);
  const { uses, used, expiresAt } = link;
  const preview = uses === undefined ? previewOf(file.type, variants) : undefined;
  return {
    name: file.name === '' ? null : file.name,
    size: file.size,
    type: file.type,
    expiresAt: new Date(expiresAt).toISOString(),
    usesLeft: uses === undefined ? null : uses - used,
    downloadUrl: `${url}&download=1`,
    previewUrl: preview === undefined ? null : `${url}${preview}`,
  };
}

/** What the address of the preview has more. Undefined if a browser cannot show the file. */
function previewOf(type: string, variants: readonly string[]): string | undefined {
  if (!isMediaType(type)) return undefined;
  const { family } = mediaTypes[type];
  if (family === 'image' && variants.includes(shownVariant)) return `&variant=${shownVariant}`;
  const isShown = (family === 'image' && !isAlwaysAttached(type)) || family === 'audio' || family === 'video';
  return isShown ? '' : undefined;
}

/** Null: the link does not work. */
export function sharedFileWithoutScript(language: Language, file: SharedFileFacts | null): Markup {
  const texts = textsIn(language).pages['shared-file'];
  if (file === null)
    return html`<main class="narrow"><div class="card step"><h1>${texts.gone}</h1><p class="lead">${texts.goneLead}</p><p>${texts.goneCure}</p></div></main>`;
  const { name, type, size, expiresAt, usesLeft, downloadUrl, previewUrl } = file;
  const title = name ?? texts.unnamed;
  const isPicture = previewUrl !== null && type.startsWith('image/');
  const until = texts.until.replace('{time}', () => formatTime(language, expiresAt));
  const left =
    usesLeft === null ? '' : ` ${texts.downloadsLeft.replace('{count}', () => formatCount(language, usesLeft))}`;
  return html`<main class="narrow"><div class="card step shared">
${isPicture ? html`<img class="shown" src="${previewUrl}" alt="${title}">` : ''}
<div><h1><bdi>${title}</bdi></h1><p class="lead">${shortName(type)} · ${formatSize(language, size)}</p></div>
<a class="button primary" href="${downloadUrl}">${texts.download}</a>
<p class="quiet-text">${until}${left}</p>
</div></main>`;
}

function shortName(type: string): string {
  return isMediaType(type) ? shortNameOf(type) : type;
}

/** In UTC: without a script, nobody knows where the visitor is. */
function formatTime(language: Language, iso: string): string {
  const parts = { year: 'numeric', month: 'long', day: 'numeric', hour: 'numeric', minute: '2-digit' } as const;
  return new Intl.DateTimeFormat(language, { ...parts, timeZone: 'UTC', timeZoneName: 'short' }).format(new Date(iso));
}

function formatCount(language: Language, count: number): string {
  return new Intl.NumberFormat(language).format(count);
}

/** As the script of the page does. */
function formatSize(language: Language, bytes: number): string {
  const units = ['byte', 'kilobyte', 'megabyte', 'gigabyte'];
  const step = Math.min(units.length - 1, Math.floor(Math.log2(Math.max(bytes, 1)) / 10));
  const value = bytes / 1024 ** step;
  const maximumFractionDigits = step > 0 && value < 10 ? 1 : 0;
  const unitDisplay = step === 0 ? 'long' : 'short';
  const style = { style: 'unit', unit: units[step], unitDisplay, maximumFractionDigits } as const;
  return new Intl.NumberFormat(language, style).format(value);
}
