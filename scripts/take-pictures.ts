// `npm run pictures`: takes pictures of every look into pictures/, with a contact sheet.
// `npm run pictures -- account sign-in-code` takes only those whose names begin so.
import { mkdirSync, rmSync } from 'node:fs';
import { looks } from '../test/helpers/look/looks.ts';
import { openTour } from '../test/helpers/look/tour.ts';
import { takeLooks } from './pictures/take-looks.ts';
import { writeSheet } from './pictures/write-sheet.ts';

const folder = new URL('../pictures/', import.meta.url).pathname;
const wanted = process.argv.slice(2);
const chosen = looks.filter(({ name }) => wanted.length === 0 || wanted.some((start) => name.startsWith(start)));

if (wanted.length === 0) rmSync(folder, { recursive: true, force: true });
mkdirSync(folder, { recursive: true });
const tour = await openTour();
if (tour === undefined) process.exit(1);
try {
  const failed = await takeLooks(tour, chosen, folder);
  for (const reason of failed) console.error(reason);
  if (failed.length > 0) process.exitCode = 1;
} finally {
  await tour.close();
}
console.log(`Pictures are in ${folder}. The sheet is ${writeSheet(folder)}`);
