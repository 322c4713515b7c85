// Gives the pages every country's calling code and trunk prefix, out of the metadata that the server judges numbers by.
import type { Plugin } from 'esbuild';
import { getCountries, getCountryCallingCode, Metadata } from 'libphonenumber-js/max';

/** Answers `import { countries } from 'gatehouse:countries'`: rows of country, calling code and, where there is one, prefix. */
export const countriesPlugin: Plugin = {
  name: 'countries',
  setup: (build) => {
    build.onResolve({ filter: /^gatehouse:countries$/ }, ({ path }) => ({ path, namespace: 'countries' }));
    build.onLoad({ filter: /.*/, namespace: 'countries' }, () => ({
      contents: `export const countries = ${JSON.stringify(listCountries())};`,
    }));
  },
};

/** There, but missing from the library's types. */
type NumberingPlan = { nationalPrefix(): string | undefined; nationalPrefixForParsing(): string | undefined };

function listCountries(): string {
  const metadata = new Metadata();
  const rows = getCountries().map((country) => {
    metadata.selectNumberingPlan(country);
    const plan = metadata.numberingPlan as unknown as NumberingPlan;
    // Where nothing is taken off in reading, as in Italy, the zero belongs to the number.
    const prefix = plan.nationalPrefixForParsing() ? (plan.nationalPrefix() ?? '') : '';
    return `${country}${getCountryCallingCode(country)} ${prefix}`.trim();
  });
  return rows.join(';');
}
