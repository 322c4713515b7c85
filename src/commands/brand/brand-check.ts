// The command `brand check`: checks a file of the brand as the service does when it starts.
import { readFileSync } from 'node:fs';
import { measureContrast, schemes, usualAccent } from '../../brand/accent.ts';
import type { Brand } from '../../brand/brand.ts';
import { describeProblem } from '../../brand/parse-brand.ts';
import { type SampleSms, writeSampleSms } from '../../brand/sample-messages.ts';
import { readBrandFile } from '../../config/read-brand.ts';
import { CommandError } from '../command-error.ts';
import type { Command } from '../declarations.ts';
import { brandSettings } from '../load-config.ts';
import { writeTable } from '../write-text.ts';

export const brandCheck: Command<'brand check'> = async (context, { file }) => {
  const { name, publicUrl } = brandSettings();
  const result = readBrandFile(file, name, publicUrl, (path) => readFileSync(path, 'utf8'));
  if (result === undefined) throw new CommandError(`${file} cannot be read. Check the path and its permissions.`);
  if ('problems' in result) {
    const lines = result.problems.map((problem) => `  ${describeProblem(problem)}`);
    context.show({ file, problems: result.problems }, `${file} has problems.\n${lines.join('\n')}`);
    return 1;
  }
  const { brand } = result;
  const contrast = contrastOf(brand);
  const sms = writeSampleSms(brand, publicUrl);
  const data = { file, problems: [], name: brand.name, links: brand.links, contrast, sms: sms.map(lengthOf) };
  context.show(data, describe(file, brand, contrast, sms, publicUrl));
  return 0;
};

function contrastOf({ accent }: Brand) {
  return schemes.flatMap((scheme) => measureContrast(scheme, (accent ?? usualAccent)[scheme]));
}

function lengthOf({ language, characters, longest, segments }: SampleSms) {
  return { language, characters, longest, segments };
}

function describe(
  file: string,
  { name, logo, accent, links }: Brand,
  contrast: ReturnType<typeof contrastOf>,
  sms: readonly SampleSms[],
  publicUrl: string,
): string {
  const { light, dark } = accent ?? usualAccent;
  const linkNames = Object.entries(links).flatMap(([link, url]) => (url === null ? [] : [link]));
  return [
    `${file}: no problems`,
    '',
    `Name    ${name}`,
    `Logo    ${logo === null ? 'none: pages show the initial' : [logo.light.type, logo.dark.type].join(' and ')}`,
    `Accent  ${light.accent} in light, ${dark.accent} in dark${accent === null ? ' (as usual)' : ''}`,
    `Links   ${linkNames.length === 0 ? 'none' : linkNames.join(', ')}`,
    '',
    writeTable(
      ['contrast', 'scheme', 'colours', 'ratio', 'least'],
      contrast.map(({ what, scheme, foreground, background, ratio, least }) => [
        what,
        scheme,
        `${foreground} on ${background}`,
        (Math.floor(ratio * 100) / 100).toFixed(2),
        least,
      ]),
    ),
    '',
    `The SMS with a code, with the host ${new URL(publicUrl).hostname} of PUBLIC_URL:`,
    writeTable(
      ['language', 'segments', 'characters', 'fit'],
      sms.map(({ language, segments, characters, longest }) => [language, segments, characters, longest]),
    ),
  ].join('\n');
}
