// The frame of every page: header with brand and navigation, content, and footer with the links of the operator.
import type { ComponentChildren } from 'preact';
import '../style/base.css';
import '../style/skip-link.css';
import { brand, isLocal } from './brand.ts';
import { LanguageSwitch } from './language-switch.tsx';
import './page-frame.css';

type FrameTexts = {
  readonly skip: string;
  readonly navigation: string;
  readonly toSignIn: string;
  readonly toAccount: string;
  readonly toInbox: string;
  readonly toDocs: string;
  readonly terms: string;
  readonly privacy: string;
  readonly support: string;
  readonly language: string;
};

type Link = readonly [href: string, label: string];

type Props = {
  readonly texts: FrameTexts;
  readonly current: string;
  /** Narrow for a single form, wide for a page with lists. */
  readonly width: 'narrow' | 'wide';
  readonly isSignedIn?: boolean;
  /** Replaces the links to the other pages. */
  readonly links?: readonly Link[];
  readonly children: ComponentChildren;
};

export function PageFrame({ texts, current, width, isSignedIn = false, links, children }: Props) {
  return (
    <div class="frame">
      <a class="skip" href="#main">
        {texts.skip}
      </a>
      <header class="top">
        <a class="brand" href="/">
          <Logo />
        </a>
        <Links name={texts.navigation} links={links ?? listPages(texts, isSignedIn)} current={current} />
      </header>
      <main id="main" class={width} tabIndex={-1}>
        {children}
      </main>
      <footer class="foot">
        <Links name={brand.name} links={listBrandLinks(texts)} current="" />
        <LanguageSwitch label={texts.language} />
      </footer>
    </div>
  );
}

/** None if the only link is the one to this page. */
function Links({ name, links, current }: { name: string; links: readonly Link[]; current: string }) {
  if (links.every(([href]) => href === current)) return null;
  return (
    <nav aria-label={name}>
      {links.map(([href, label]) => (
        <a key={href} href={href} aria-current={href === current ? 'page' : undefined}>
          {label}
        </a>
      ))}
    </nav>
  );
}

function listPages(texts: FrameTexts, isSignedIn: boolean): Link[] {
  const own: Link = isSignedIn ? ['/account', texts.toAccount] : ['/', texts.toSignIn];
  return isLocal ? [own, ['/inbox', texts.toInbox], ['/docs', texts.toDocs]] : [own];
}

function listBrandLinks({ terms, privacy, support }: FrameTexts): Link[] {
  const links = [
    [brand.links.terms, terms],
    [brand.links.privacy, privacy],
    [brand.links.support, support],
  ] as const;
  return links.flatMap(([href, label]) => (href === null ? [] : [[href, label] as const]));
}

/** The logo of the operator says its name. Without one: the initial of the name, or our mark if there is no brand. */
function Logo() {
  const { name, logo, initial } = brand;
  if (logo !== null)
    return (
      <picture>
        <source srcset={logo.dark} media="(prefers-color-scheme: dark)" />
        <img class="logo" src={logo.light} alt={name} />
      </picture>
    );
  return (
    <>
      {initial === null ? (
        <svg class="mark" viewBox="0 0 16 16" aria-hidden="true">
          <path d="M2 15V7a6 6 0 0 1 12 0v8h-3V7.5a3 3 0 0 0-6 0V15z" />
        </svg>
      ) : (
        <span class="initial" aria-hidden="true">
          {initial}
        </span>
      )}
      {name}
    </>
  );
}
