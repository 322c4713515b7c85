// API messages by language and code, with their placeholders filled in.
import { IntlMessageFormat } from 'intl-messageformat';
import type { FileRule } from '#media/file-rule';
import type { AnyDetail, FailureCode, FieldOf, Refusal } from '../../kernel/failure.ts';
import { isolateIn, type Language, localeOf } from '../../kernel/text/language.ts';
import { textsIn } from '../../kernel/text/texts.ts';
import { writeWait } from '../../kernel/work/write-wait.ts';

export type SuccessCode = keyof ReturnType<typeof textsIn>['api']['success'];

/** A failure code without a text is a compile error. Its placeholders are fields of its detail. */
type Catalogue = {
  readonly success: Readonly<Record<SuccessCode, string>>;
  readonly failure: Readonly<Record<FailureCode, string>>;
  readonly fileRule: Readonly<Record<FileRule, string>>;
};

export function catalogueIn(language: Language): Catalogue {
  return textsIn(language).api;
}

export function successMessage(language: Language, code: SuccessCode): string {
  return catalogueIn(language).success[code];
}

/** What a message does without: it has a branch for `none`. Any other value must be there. */
export const mayBeMissing = {
  MEDIA_TYPE_UNSUPPORTED: ['list'],
  NOT_FOUND: ['user'],
  FILE_TYPE_NOT_ALLOWED: ['type', 'purpose'],
  FILE_TYPE_MISMATCH: ['type'],
} as const satisfies { readonly [C in FailureCode]?: readonly FieldOf<C>[] };

const missingByCode: Readonly<Partial<Record<FailureCode, readonly string[]>>> = mayBeMissing;

/** Throws if a value of the message is missing. */
export function failureMessage(language: Language, { code, detail }: Refusal): string {
  const { failure, fileRule } = catalogueIn(language);
  const { rule }: AnyDetail = detail;
  const text = rule === undefined ? failure[code] : fileRule[rule];
  if (!text.includes('{')) return text;
  const missing = (missingByCode[code] ?? []).map((name) => [name, 'none']);
  return String(formatter(language, text).format({ ...Object.fromEntries(missing), ...shownIn(language, detail) }));
}

function shownIn(language: Language, { retryAfterSeconds, ...detail }: AnyDetail): Record<string, string | number> {
  const shown: Record<string, string | number> = {};
  for (const [name, value] of Object.entries(detail)) {
    if (typeof value === 'number') shown[name] = value;
    if (typeof value === 'string') shown[name] = isolated.has(name) ? isolateIn(language, value) : value;
  }
  if (retryAfterSeconds !== undefined) shown.wait = writeWait(language, retryAfterSeconds);
  return shown;
}

/** Values that are read from left to right in every language. */
const isolated: ReadonlySet<string> = new Set(['limit', 'allow', 'requestId', 'list']);

const formatters = new Map<string, IntlMessageFormat>();

function formatter(language: Language, text: string): IntlMessageFormat {
  const key = `${language} ${text}`;
  const known = formatters.get(key);
  if (known !== undefined) return known;
  const created = new IntlMessageFormat(text, localeOf(language));
  formatters.set(key, created);
  return created;
}
