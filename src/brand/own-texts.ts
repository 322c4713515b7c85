// Checks the texts that an operator writes for SMS and mails: known texts, their placeholders, their length, and one SMS segment.
import { IntlMessageFormat } from 'intl-messageformat';
import { type Language, languages } from '../kernel/text/language.ts';
import { textsIn } from '../kernel/text/texts.ts';
import type { OwnTexts } from '../messages/texts/message-look.ts';
import { fillIn } from '../messages/texts/message-texts.ts';
import { measureSms, writeOriginLine } from '../messages/texts/sms-text.ts';
import { type BrandProblem, listFields, type Report, suggest } from './report.ts';

/** Where the service runs: it is part of what an SMS contains. */
type SmsPlace = { readonly publicUrl: string };

type TextRule = {
  /** Its keys in the file, such as mail, loginLink, subject. */
  readonly keys: readonly string[];
  readonly longest: number;
  readonly required: readonly string[];
  readonly allowed: readonly string[];
};

/** Only the English text is sent, if nothing else fits an SMS. */
const fixed = ['sms.noticeWithoutLink', 'sms.phoneNoticeWithoutLink'];

const longest: Readonly<Record<string, number>> = {
  subject: 120,
  lead: 1000,
  note: 1000,
  button: 40,
  unknownDevice: 60,
};
const longestSms = 160;

/** The path of the page behind the link of a notice, and the token that follows. A test compares both with the real ones. */
export const noticeLinkTail = `/not-me#${'x'.repeat(32)}`;

let known: readonly TextRule[] | undefined;

/** Every text that an operator may write. The English texts say which placeholders a text has. */
export function listTextRules(): readonly TextRule[] {
  known ??= readRules();
  return known;
}

function readRules(): readonly TextRule[] {
  const { sms, mail } = textsIn('en');
  const rules: TextRule[] = [];
  const visit = (value: unknown, keys: readonly string[], siblings: readonly string[]): void => {
    if (typeof value === 'object' && value !== null) {
      const texts = Object.values(value).filter((each) => typeof each === 'string');
      for (const [key, each] of Object.entries(value)) visit(each, [...keys, key], texts.flatMap(placeholdersOf));
      return;
    }
    const key = keys.at(-1) ?? '';
    const own = placeholdersOf(String(value)).filter((name) => name !== 'brand');
    if (fixed.includes(keys.join('.'))) return;
    // The content of a mail must say what it is about. Its subject may be short, and the name may be written out.
    const required = key === 'subject' ? [] : own;
    const allowed = keys[0] === 'mail' ? [...new Set(['brand', ...siblings])] : ['brand', ...own];
    rules.push({ keys, longest: longest[key] ?? longestSms, required, allowed });
  };
  visit({ sms, mail }, [], []);
  return rules;
}

/** What the check of a text needs to know. */
type Check = {
  readonly language: Language;
  readonly brandName: string;
  readonly publicUrl: string;
  readonly report: Report;
};

/** Reports every problem. Returns the texts as they are: they are of use only if there is no problem. */
export function parseTexts(value: unknown, brandName: string, { publicUrl }: SmsPlace, report: Report): OwnTexts {
  if (value === undefined) return {};
  for (const [name, texts] of listFields(value, 'texts', report)) {
    const language = languages.find((each) => each === name);
    if (language === undefined)
      report(`texts.${name}`, 'is not a language of the service', `write one of ${languages.join(', ')}`);
    else checkGroup(texts, [], { language, brandName, publicUrl, report });
  }
  return value as OwnTexts;
}

function checkGroup(value: unknown, keys: readonly string[], check: Check): void {
  const path = ['texts', check.language, ...keys].join('.');
  const under = listTextRules().filter((rule) => keys.every((key, index) => rule.keys[index] === key));
  const rule = under.find((each) => each.keys.length === keys.length);
  if (rule !== undefined) {
    const problem = findProblem(value, rule, check);
    if (problem !== undefined) check.report(path, problem.trouble, problem.cure);
    return;
  }
  const names = [...new Set(under.flatMap((each) => each.keys[keys.length] ?? []))];
  for (const [key, inner] of listFields(value, path, check.report))
    if (names.includes(key)) checkGroup(inner, [...keys, key], check);
    else check.report(`${path}.${key}`, 'is not a known text', suggest(key, names));
}

type TextProblem = Pick<BrandProblem, 'trouble' | 'cure'>;

function findProblem(text: unknown, rule: TextRule, check: Check): TextProblem | undefined {
  if (typeof text !== 'string' || text === '' || text.length > rule.longest || text.trim() !== text)
    return {
      trouble: `is not a text of 1 to ${rule.longest} characters`,
      cure: 'write one line, without blanks around it',
    };
  if (/[\p{C}\u2028\u2029]/u.test(text))
    return { trouble: 'has a line break or an invisible character', cure: 'write one line of plain text' };
  const used = readPlaceholders(text, check.language);
  if (typeof used === 'string') return { trouble: used, cure: `write placeholders as ${braced(rule.allowed)}` };
  const unknown = used.all.filter((name) => !rule.allowed.includes(name));
  if (unknown.length > 0)
    return { trouble: `has the unknown placeholder ${braced(unknown)}`, cure: `write only ${braced(rule.allowed)}` };
  const missing = rule.required.filter((name) => !used.always.includes(name));
  if (missing.length > 0)
    return { trouble: `does not contain ${braced(missing)}`, cure: `add ${braced(missing)}, which people need to see` };
  return rule.keys[0] === 'sms' ? findLengthProblem(text, rule, check) : undefined;
}

/** With the longest values, and for a code with the last line that browsers look for. */
function findLengthProblem(text: string, { keys }: TextRule, check: Check): TextProblem | undefined {
  const { language, brandName, publicUrl } = check;
  const values = { brand: brandName, code: '000000', minutes: 60, url: `${publicUrl}${noticeLinkTail}` };
  const filled = fillIn(language, text, values);
  const sent = keys[1] === 'code' ? `${filled}${writeOriginLine(new URL(publicUrl).hostname, values.code)}` : filled;
  const { segments, characters, longest: most, foreign } = measureSms(sent);
  if (segments === 1) return undefined;
  const why = foreign === undefined ? '' : `, because “${foreign}” is not in the basic alphabet of SMS`;
  const other = foreign === undefined ? '' : ', or write it without such characters';
  return {
    trouble: `does not fit one SMS: with its values it has ${characters} characters, and ${most} fit${why}`,
    cure: `shorten it by ${characters - most} characters${other}`,
  };
}

function braced(names: readonly string[]): string {
  return names.map((name) => `{${name}}`).join(', ');
}

function placeholdersOf(text: string): readonly string[] {
  const names = readPlaceholders(text, 'en');
  if (typeof names === 'string') throw new Error(`${text}: ${names}`);
  return names.all;
}

type Element = ReturnType<IntlMessageFormat['getAst']>[number];

/** The kinds of ICU MessageFormat that texts use: literal, argument, plural and its number sign. */
const kinds = { literal: 0, argument: 1, plural: 6, pound: 7 } as const;

/** `always`: outside plurals. Another form of a plural may lack what stands in one: a code would then reach only some people. */
type Placeholders = { readonly all: readonly string[]; readonly always: readonly string[] };

/** The names of the placeholders, each once, or what is wrong. */
function readPlaceholders(text: string, language: Language): Placeholders | string {
  let parts: readonly Element[];
  try {
    parts = new IntlMessageFormat(text, language).getAst();
  } catch {
    return 'has a brace or a plural that is not closed, or a tag';
  }
  const all = new Set<string>();
  const always = new Set<string>();
  const waiting = parts.map((part) => ({ part, isInside: false }));
  for (const { part, isInside } of waiting) {
    if (part.type === kinds.literal || part.type === kinds.pound) continue;
    const isPlural = part.type === kinds.plural && part.value === 'minutes';
    if (part.type !== kinds.argument && !isPlural) return 'has a form that texts do not use';
    all.add(part.value);
    if (!isInside) always.add(part.value);
    if (part.type !== kinds.plural) continue;
    for (const { value } of Object.values(part.options))
      waiting.push(...value.map((inner) => ({ part: inner, isInside: true })));
  }
  return { all: [...all], always: [...always] };
}
