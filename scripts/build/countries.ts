// Provides the calling code, the trunk prefix and the usual grouping of every country to the web pages, from the metadata that the server uses.
import type { Plugin } from 'esbuild';
import {
  type CountryCode,
  getCountries,
  getCountryCallingCode,
  getExampleNumber,
  Metadata,
} from 'libphonenumber-js/max';
import examples from 'libphonenumber-js/mobile/examples';

/** Resolves `import { countries } from 'gatehouse:countries'`: rows of country, calling code, prefix and groups, each if any. */
export const countriesPlugin: Plugin = {
  name: 'countries',
  setup: (build) => {
    build.onResolve({ filter: /^gatehouse:countries$/ }, ({ path }) => ({ path, namespace: 'countries' }));
    build.onLoad({ filter: /.*/, namespace: 'countries' }, () => ({
      contents: `export const countries = ${JSON.stringify(listCountries())};`,
    }));
  },
};

/** These methods exist but are missing from the types of the library. */
type NumberingPlan = { nationalPrefix(): string | undefined; nationalPrefixForParsing(): string | undefined };

/** `DE49 0 48;IT39  37;…`: country, calling code, trunk prefix and groups of digits. */
export function listCountries(): string {
  const metadata = new Metadata();
  const rows = getCountries().map((country) => {
    metadata.selectNumberingPlan(country);
    const plan = metadata.numberingPlan as unknown as NumberingPlan;
    // If parsing strips no prefix, as in Italy, the leading zero is part of the number.
    const prefix = plan.nationalPrefixForParsing() ? (plan.nationalPrefix() ?? '') : '';
    return `${country}${getCountryCallingCode(country)} ${prefix} ${listGroups(country)}`.trimEnd();
  });
  return rows.join(';');
}

/** How many digits of a mobile number stand together: `46` for +44 7400 123456. */
function listGroups(country: CountryCode): string {
  const [, ...groups] = getExampleNumber(country, examples)?.formatInternational().split(/[ -]/) ?? [];
  return groups.map(({ length }) => length).join('');
}
