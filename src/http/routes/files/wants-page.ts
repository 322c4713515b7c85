// Whether a link is answered with the page for people or with the bytes: by what the headers say about who asks.
import { type Header, isPreviewer, lookAheadVary, looksAhead } from './uploads/looks-ahead.ts';

type Asked = {
  readonly header: Header;
  readonly query: { readonly download?: string; readonly variant?: string };
};

/**
 * A person opened the link, or a program looks at it before a person does. The page itself asks for a preview and for the download in
 * other ways. If each download counts, nothing but a wish for the bytes may use the link up, however the address was asked for.
 */
export function wantsPage({ header, query }: Asked, isCounted = false): boolean {
  if (isCounted && looksAhead(header)) return true;
  if (query.download === '1' || query.variant !== undefined) return false;
  const target = header('sec-fetch-dest');
  if (target !== undefined) return target === 'document';
  // Older browsers and many scanners. No program asks for HTML by itself.
  if (header('accept')?.includes('text/html')) return true;
  return isPreviewer(header('user-agent') ?? '') || (isCounted && isDisguised(header));
}

/** Over HTTPS a browser says why it fetches a resource. A client that only calls itself a browser is most often a robot, or has no TLS. */
function isDisguised(header: Header): boolean {
  const agent = header('user-agent') ?? '';
  return agent.startsWith('Mozilla/') && !header('accept')?.startsWith('image/') && !/powershell/i.test(agent);
}

/** The headers that decide, for `Vary`. */
export const pageVary = `Sec-Fetch-Dest, Accept, ${lookAheadVary}`;
