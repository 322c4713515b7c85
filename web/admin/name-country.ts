// The name of a country in the language of the page.
import { facts } from '../parts/page-data.ts';

const countryNames = new Intl.DisplayNames(facts.language, { type: 'region', fallback: 'code' });

/** Numbers without a country, such as satellite phones, are listed under their calling code. */
export function nameCountry(country: string): string {
  return country.startsWith('+') ? country : (countryNames.of(country) ?? country);
}
