// Pictures of the notebook, the example app, as a pro user sees it.
import type { Browser } from 'playwright-core';
import { addNote, openNotesExample, signInToNotes } from '../../test/helpers/services/notes-example.ts';
import { savePicture } from './save-picture.ts';
import { scenery } from './scenery.ts';

export async function takeNotesPictures(browser: Browser, folder: string): Promise<void> {
  const example = await openNotesExample();
  try {
    await example.start();
    const open = async (colorScheme: 'light' | 'dark') => {
      const viewport = { width: 720, height: 900 };
      const page = await browser.newPage({ colorScheme, viewport, deviceScaleFactor: 1.5, locale: 'en-GB' });
      await page.goto(example.url);
      await signInToNotes(page, example);
      return page;
    };
    const first = await open('light');
    await addNote(first, 'The lake at six. Shall we take this one for the cover?', await scenery(960, 420));
    for (const colorScheme of ['light', 'dark'] as const) {
      const page = await open(colorScheme);
      await addNote(page, 'The cover goes to the printer on Friday.');
      await page.getByRole('button', { name: 'Become pro' }).click();
      await page.locator('#pro').waitFor();
      await page.reload();
      await page.locator('img').waitFor();
      await savePicture(await page.screenshot(), `${folder}notes-${colorScheme}.png`);
      await page.getByRole('listitem').first().getByRole('button', { name: 'Remove' }).click();
      await page.getByText('to the printer').waitFor({ state: 'detached' });
    }
  } finally {
    await example.close();
  }
}
