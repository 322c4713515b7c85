// The brand of the operator: what users see of it on the pages and in messages.
import {
  type MessageLook,
  noLinks,
  type OperatorLinks,
  type OwnTexts,
  usualLook,
} from '../messages/texts/message-look.ts';
import { type Accent, usualAccent } from './accent.ts';
import type { LogoFile } from './logo.ts';

/** What a page gets. */
export type ShownBrand = {
  readonly name: string;
  /** Addresses of this service. Null: the page shows a mark and the name. */
  readonly logo: { readonly light: string; readonly dark: string } | null;
  /** The first letter of the name, which is the mark of a brand without a logo. Null: no brand is set, so the mark is ours. */
  readonly initial: string | null;
  readonly links: OperatorLinks;
};

export type Brand = {
  readonly name: string;
  /** Whether the operator gave the brand a name. */
  readonly isNamed: boolean;
  readonly logo: { readonly light: LogoFile; readonly dark: LogoFile } | null;
  /** Null: the colours of the pages as they are. */
  readonly accent: Accent | null;
  readonly links: OperatorLinks;
  readonly texts: OwnTexts;
};

/** The name of a service whose operator gave it none. */
const usualName = 'Gatehouse';

export const longestName = 30;

/** Undefined if the name does not fit an SMS, or could be taken for markup or a placeholder. */
export function parseBrandName(text: string): string | undefined {
  return text.trim() === text && text !== '' && text.length <= longestName && !/[\p{C}{}<>]/u.test(text)
    ? text
    : undefined;
}

export const noBrand: Brand = {
  name: usualName,
  isNamed: false,
  logo: null,
  accent: null,
  links: noLinks,
  texts: {},
};

type LogoSide = 'light' | 'dark';

export const logoSides: readonly LogoSide[] = ['light', 'dark'];

export function logoPath(side: LogoSide): string {
  return `/brand/logo-${side}`;
}

/** `addressOf`: where a page finds a logo. The hash in the address lets browsers keep it for ever. */
export function showBrand(
  brand: Brand,
  addressOf: (side: LogoSide, logo: LogoFile) => string = addressOfLogo,
): ShownBrand {
  const { name, isNamed, logo, links } = brand;
  return {
    name,
    logo: logo && { light: addressOf('light', logo.light), dark: addressOf('dark', logo.dark) },
    initial: isNamed ? initialOf(name) : null,
    links,
  };
}

function addressOfLogo(side: LogoSide, { hash }: LogoFile): string {
  return `${logoPath(side)}?v=${hash}`;
}

/** A whole character as readers see it, such as a letter with its accent. */
function initialOf(name: string): string {
  const [first] = new Intl.Segmenter().segment(name);
  return (first?.segment ?? '').toLocaleUpperCase();
}

export function lookOf({ accent, links, texts }: Brand): MessageLook {
  const { light, dark } = accent ?? usualAccent;
  return { ...usualLook, colours: { accent: light.accent, onAccent: light.onAccent, dark: dark.accent }, links, texts };
}
