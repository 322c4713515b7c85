// In local mode: says that messages stay on this computer, and links to the inbox.
import { facts } from './facts.ts';
import './local-strip.css';

type Props = { readonly texts: { readonly staysHere: string; readonly openInbox: string } };

export function LocalStrip({ texts }: Props) {
  if (!facts.hasInbox) return null;
  return (
    <p class="local-strip">
      <span>{texts.staysHere}</span>{' '}
      <a href="/inbox" target="_blank" rel="noreferrer">
        {texts.openInbox}
      </a>
    </p>
  );
}
