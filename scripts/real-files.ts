// Uploads real files, as test/files/uploads/real-files.slow.test.ts does, and prints the report; `--write` puts it into docs/evidence/real-files.md.
import { writeFileSync } from 'node:fs';
import { takeSurvey } from '../test/files/real-files/survey.ts';
import { listRefusals, writeReport } from '../test/files/real-files/write-report.ts';

const page = new URL('../docs/evidence/real-files.md', import.meta.url);
const survey = await takeSurvey();
if (typeof survey === 'string') throw new Error(survey);

const refusals = (title: string, lines: readonly string[]) =>
  lines.length === 0
    ? []
    : ['', `## ${title}`, '', ...row(['package', 'file', 'type', 'code', 'verdict', 'why']), ...lines.map(toRow)];
const row = (cells: readonly string[]) => [`| ${cells.join(' | ')} |`, `|${'---|'.repeat(cells.length)}`];
const toRow = (line: string) => `| ${line.replaceAll(/[`<>]/g, '')} |`;
const listed = (...wanted: Parameters<typeof listRefusals>[1]) => listRefusals(survey.judgements, wanted);

const text = [
  '# Real files',
  '',
  'Written by `npm run real-files -- --write`. The test data of Debian source packages and files made by common programs, each given to',
  'the code that examines uploads. No refusal is unexplained (U86): the tool of the format',
  '(ImageMagick, ffmpeg, qpdf, unzip, file) complains too, or a rule of [purposes.md](../purposes.md) excludes the file.',
  '',
  writeReport(survey),
  ...refusals('Unexplained', listed('unexplained')),
  ...refusals('Damage that the tool does not look for', listed('known')),
  ...refusals('Bytes behind the end', listed('bytes behind the end')),
  ...refusals('Excluded by a rule', listed('rule')),
  ...refusals('Damaged', listed('damaged')),
].join('\n');

if (process.argv.includes('--write')) writeFileSync(page, `${text}\n`);
else console.log(text);
