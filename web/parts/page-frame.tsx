// The frame of every page: brand, navigation and content.
import type { ComponentChildren } from 'preact';
import '../style/base.css';
import '../style/skip-link.css';
import './page-frame.css';
import { facts } from './page-data.ts';

export type FrameTexts = {
  readonly skip: string;
  readonly navigation: string;
  readonly toSignIn: string;
  readonly toAccount: string;
  readonly toInbox: string;
  readonly toDocs: string;
};

type Props = {
  readonly texts: FrameTexts;
  readonly current: string;
  /** Narrow for a single form, wide for a page with lists. */
  readonly width: 'narrow' | 'wide';
  readonly isSignedIn?: boolean;
  /** Replaces the links to the other pages. */
  readonly links?: readonly (readonly [href: string, label: string])[];
  readonly children: ComponentChildren;
};

export function PageFrame({ texts, current, width, isSignedIn = false, links, children }: Props) {
  const navigation = links ?? [
    isSignedIn ? (['/account', texts.toAccount] as const) : (['/', texts.toSignIn] as const),
    ...(facts.hasInbox ? [['/inbox', texts.toInbox] as const] : []),
    ['/docs', texts.toDocs] as const,
  ];
  return (
    <>
      <a class="skip" href="#main">
        {texts.skip}
      </a>
      <header class="top">
        <a class="brand" href="/">
          <Mark />
          {facts.brandName}
        </a>
        {navigation.length > 0 && (
          <nav aria-label={texts.navigation}>
            {navigation.map(([href, label]) => (
              <a key={href} href={href} aria-current={href === current ? 'page' : undefined}>
                {label}
              </a>
            ))}
          </nav>
        )}
      </header>
      <main id="main" class={width} tabIndex={-1}>
        {children}
      </main>
    </>
  );
}

function Mark() {
  return (
    <svg class="mark" viewBox="0 0 16 16" aria-hidden="true">
      <path d="M2 15V7a6 6 0 0 1 12 0v8h-3V7.5a3 3 0 0 0-6 0V15z" />
    </svg>
  );
}
