// The icon of every page, as a data URL: the initial of the brand on its accent, or our mark.
import { html, toText } from '../../kernel/text/html.ts';

/** Our mark, the arch of a gate, on 16 by 16 units. web/parts/page-frame.tsx draws the same. */
export const markPath = 'M2 15V7a6 6 0 0 1 12 0v8h-3V7.5a3 3 0 0 0-6 0V15z';

/** Without an initial, no brand is set, and the icon is our mark. */
export function writeIcon(
  initial: string | null,
  colours: { readonly accent: string; readonly onAccent: string },
): string {
  const drawing =
    initial === null
      ? html`<path fill="${colours.accent}" d="${markPath}"/>`
      : html`<rect width="16" height="16" rx="4" fill="${colours.accent}"/><text x="8" y="11.7" fill="${colours.onAccent}" font-family="system-ui,sans-serif" font-size="10.5" font-weight="700" text-anchor="middle">${initial}</text>`;
  const svg = html`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 16 16">${drawing}</svg>`;
  return `data:image/svg+xml,${encodeURIComponent(toText(svg))}`;
}
