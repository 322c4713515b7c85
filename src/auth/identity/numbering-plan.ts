// Numbering plans: reads an international phone number with the patterns of libphonenumber, each compiled once per country.
import { Metadata, type NumberType, parsePhoneNumberFromString } from 'libphonenumber-js/max';

/** `kind`: undefined if the number is valid, but its country has no patterns per type. */
type ReadNumber = {
  readonly number: string;
  readonly country: string | undefined;
  readonly callingCode: string;
  readonly isNonGeographic: boolean;
  readonly kind: NumberType;
};

type Kind = NonNullable<NumberType>;

/** These methods exist but are missing from the types of the library. */
type LibraryType = { pattern(): string; possibleLengths(): readonly number[] };
type LibraryPlan = {
  nationalNumberPattern(): string;
  nationalPrefixForParsing(): string | undefined;
  leadingDigits(): string | undefined;
  type(kind: Kind): LibraryType | undefined;
};
type LibraryMetadata = {
  readonly numberingPlan: LibraryPlan;
  selectNumberingPlan(countryOrCallingCode: string): void;
  hasCallingCode(callingCode: string): boolean | undefined;
  isNonGeographicCallingCode(callingCode: string): boolean;
  getCountryCodesForCallingCode(callingCode: string): readonly string[] | undefined;
};

const metadata = new Metadata() as unknown as LibraryMetadata;

type KindPattern = { readonly kind: Kind; readonly pattern: RegExp; readonly lengths: readonly number[] };

/** One country of a calling code. */
type Plan = {
  readonly country: string | undefined;
  readonly general: RegExp;
  /** Every number that begins so belongs to the country. */
  readonly leading: RegExp | undefined;
  readonly fixed: KindPattern | undefined;
  /** Undefined if mobile numbers of the country look like fixed ones. */
  readonly mobile: KindPattern | undefined;
  /** In the order in which the library tries them. */
  readonly others: readonly KindPattern[];
};

/** `plans`: the main country first. `prefix`: what callers may write before the number although it does not belong to it. */
type CallingCode = {
  readonly code: string;
  readonly prefix: RegExp | undefined;
  readonly isNonGeographic: boolean;
  readonly plans: readonly [Plan, ...Plan[]];
};

const otherKinds: readonly Kind[] = [
  'MOBILE',
  'PREMIUM_RATE',
  'TOLL_FREE',
  'SHARED_COST',
  'VOIP',
  'PERSONAL_NUMBER',
  'PAGER',
  'UAN',
  'VOICEMAIL',
];

const longestCode = 3;

export type NumberReader = (text: string) => ReadNumber | undefined;

/**
 * Reads a plus and digits. Undefined if no country has such a number. The same answer as that of the library, at a tenth of the cost for
 * ordinary numbers. It remembers the patterns of the calling codes that it has met, and no number. `ask`: judges the others.
 */
export function createNumberReader(ask: NumberReader = askLibrary): NumberReader {
  const known = new Map<string, CallingCode | null>();
  return (text) => {
    const calling = findCallingCode(known, text);
    if (calling === undefined) return undefined;
    const { code, plans, prefix, isNonGeographic } = calling;
    const national = text.slice(1 + code.length);
    // A trunk prefix or the code of a carrier may have to be left out.
    if (prefix?.test(national) === true) return ask(text);
    for (const plan of plans) {
      if (plan.leading?.test(national) === false) continue;
      const kind = kindOf(plan, national);
      if (kind !== undefined) return { number: text, country: plan.country, callingCode: code, isNonGeographic, kind };
      if (plan.leading !== undefined) break;
    }
    return ask(text);
  };
}

/** Judges what the patterns alone do not. */
export function askLibrary(text: string): ReadNumber | undefined {
  const parsed = parsePhoneNumberFromString(text);
  const kind = parsed?.getType();
  if (parsed === undefined || (kind === undefined && !parsed.isValid())) return undefined;
  const { number, country, countryCallingCode: callingCode } = parsed;
  return { number, country, callingCode, isNonGeographic: parsed.isNonGeographic(), kind };
}

function kindOf({ general, fixed, mobile, others }: Plan, national: string): Kind | undefined {
  if (!general.test(national)) return undefined;
  if (fixed !== undefined && matches(fixed, national))
    return mobile === undefined || matches(mobile, national) ? 'FIXED_LINE_OR_MOBILE' : 'FIXED_LINE';
  return others.find((other) => matches(other, national))?.kind;
}

function matches({ pattern, lengths }: KindPattern, national: string): boolean {
  return lengths.includes(national.length) && pattern.test(national);
}

/** No calling code begins with another one. `known`: null if there is no such code. */
function findCallingCode(known: Map<string, CallingCode | null>, text: string): CallingCode | undefined {
  for (let length = 1; length <= longestCode; length += 1) {
    const code = text.slice(1, 1 + length);
    let found = known.get(code);
    if (found === undefined) {
      found = metadata.hasCallingCode(code) === true ? readCallingCode(code) : null;
      known.set(code, found);
    }
    if (found !== null) return found;
  }
  return undefined;
}

function readCallingCode(code: string): CallingCode {
  const [main, ...others] = metadata.getCountryCodesForCallingCode(code) ?? [];
  metadata.selectNumberingPlan(code);
  const prefix = metadata.numberingPlan.nationalPrefixForParsing();
  return {
    code,
    prefix: prefix ? new RegExp(`^(?:${prefix})`) : undefined,
    isNonGeographic: metadata.isNonGeographicCallingCode(code),
    plans: [readPlan(main, code), ...others.map((country) => readPlan(country, code))],
  };
}

function readPlan(country: string | undefined, code: string): Plan {
  metadata.selectNumberingPlan(country ?? code);
  const plan = metadata.numberingPlan;
  const leading = plan.leadingDigits();
  const read = (kind: Kind): KindPattern | undefined => {
    const type = plan.type(kind);
    const pattern = type?.pattern() ?? '';
    return type === undefined || pattern === ''
      ? undefined
      : { kind, pattern: whole(pattern), lengths: type.possibleLengths() };
  };
  return {
    country,
    general: whole(plan.nationalNumberPattern()),
    leading: leading ? new RegExp(`^(?:${leading})`) : undefined,
    fixed: read('FIXED_LINE'),
    mobile: read('MOBILE'),
    others: otherKinds.map(read).filter((pattern) => pattern !== undefined),
  };
}

function whole(pattern: string): RegExp {
  return new RegExp(`^(?:${pattern})$`);
}
