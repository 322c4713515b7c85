// API messages by language and code, with their placeholders filled in.
import { IntlMessageFormat } from 'intl-messageformat';
import type { FailureCode, FailureDetail } from '../../kernel/failure.ts';
import { isolateIn, type Language, localeOf } from '../../kernel/text/language.ts';
import { textsIn } from '../../kernel/text/texts.ts';
import { writeWait } from '../../kernel/work/write-wait.ts';
import type { FileRule } from '../../media/file-rule.ts';

export type SuccessCode = keyof ReturnType<typeof textsIn>['api']['success'];

/** A failure code without a text is a compile error. The placeholders are fields of FailureDetail. */
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

export function failureMessage(language: Language, code: FailureCode, detail: FailureDetail): string {
  const { failure, fileRule } = catalogueIn(language);
  const text = detail.rule === undefined ? failure[code] : fileRule[detail.rule];
  if (!text.includes('{')) return text;
  const {
    field = 'none',
    list = 'none',
    type = 'none',
    purpose = 'none',
    limit = '',
    allow = '',
    requestId = '',
    left = 0,
    retryAfterSeconds = 1,
    user = 'none',
  } = detail;
  const isolated = {
    limit: isolateIn(language, limit),
    allow: isolateIn(language, allow),
    requestId: isolateIn(language, requestId),
    list: list === 'none' ? list : isolateIn(language, list),
  };
  const wait = writeWait(language, retryAfterSeconds);
  const values = { field, type, purpose, left, retryAfterSeconds, wait, user, ...isolated };
  return String(formatter(language, text).format(values));
}

const formatters = new Map<string, IntlMessageFormat>();

function formatter(language: Language, text: string): IntlMessageFormat {
  const key = `${language} ${text}`;
  const known = formatters.get(key);
  if (known !== undefined) return known;
  const created = new IntlMessageFormat(text, localeOf(language));
  formatters.set(key, created);
  return created;
}
