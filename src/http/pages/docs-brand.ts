// The operator's brand on the pages of the documentation: the build leaves places for it, and the service fills them.
import { html, toText } from '../../kernel/text/html.ts';
import { type BrandHead, brandStyle } from './page-shell.ts';

/** No text of a page can look like a place, because every `<` of a text is escaped. */
export const brandPlaces = {
  name: '<!--brand-name-->',
  icon: '<!--brand-icon-->',
  style: '<!--brand-style-->',
} as const;

export function fillBrand(page: string, brand: BrandHead): string {
  return page
    .replaceAll(brandPlaces.name, () => toText(html`${brand.name}`))
    .replaceAll(brandPlaces.icon, () => toText(html`${brand.icon}`))
    .replaceAll(brandPlaces.style, () => toText(html`${brandStyle(brand)}`));
}
