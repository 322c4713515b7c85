// `npm run pictures`: takes pictures of every look into pictures/, with a contact sheet, and those of the documents.
// `npm run pictures -- account sign-in-code` takes only the looks whose names begin so. `npm run pictures -- --docs` takes only
// the pictures of the documents into docs/pictures/; `--docs=first` only those of the first two minutes, from a fresh clone.
import { mkdirSync, rmSync } from 'node:fs';
import { openBrowser } from '../test/helpers/browser/browser.ts';
import { looks } from '../test/web/look/looks.ts';
import { openTour } from '../test/web/look/tour.ts';
import { screen, takeDocsPictures } from './pictures/docs-pictures.ts';
import { recordFirstMinutes } from './pictures/first-minutes.ts';
import { takeNotesPictures } from './pictures/notes-pictures.ts';
import { takeLooks } from './pictures/take-looks.ts';
import { writeSheet } from './pictures/write-sheet.ts';

const folder = new URL('../pictures/', import.meta.url).pathname;
const docsFolder = new URL('../docs/pictures/', import.meta.url).pathname;
const names = process.argv.slice(2).filter((word) => !word.startsWith('--'));
const docs = process.argv.find((word) => /^--docs(?:=|$)/.test(word))?.replace(/^--docs=?/, '');

if (docs === undefined) await takeAllLooks();
if (docs === '' || (docs === undefined && names.length === 0)) await takeAllDocs();
if (docs !== undefined && docs !== '') await takeSomeDocs(docs);

async function takeAllLooks(): Promise<void> {
  const chosen = looks.filter(({ name }) => names.length === 0 || names.some((start) => name.startsWith(start)));
  if (names.length === 0) rmSync(folder, { recursive: true, force: true });
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
}

async function takeAllDocs(): Promise<void> {
  for (const part of ['looks', 'notes', 'first']) await takeSomeDocs(part);
  console.log(`Pictures of the documents are in ${docsFolder}`);
}

async function takeSomeDocs(part: string): Promise<void> {
  if (part === 'looks') {
    const tour = await openTour({ viewport: screen, deviceScaleFactor: 2 });
    if (tour === undefined) process.exit(1);
    await takeDocsPictures(tour, docsFolder).finally(tour.close);
    return;
  }
  const browser = await openBrowser('engine');
  if (browser === undefined) process.exit(1);
  const take = part === 'notes' ? takeNotesPictures : recordFirstMinutes;
  await take(browser, docsFolder).finally(() => browser.close());
}
