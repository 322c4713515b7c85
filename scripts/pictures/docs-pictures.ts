// The few pictures that the documents show: looks of the table, in light and dark, on a screen of high density.
import type { Look } from '../../test/web/look/look.ts';
import { looks } from '../../test/web/look/looks.ts';
import type { Tour } from '../../test/web/look/tour.ts';
import { savePicture } from './save-picture.ts';

type DocsPicture = {
  /** docs/pictures/NAME-light.png and NAME-dark.png. */
  readonly name: string;
  readonly look: string;
  /** Default: both. */
  readonly schemes?: readonly ('light' | 'dark')[];
  /** This part of the page begins at the top of the picture. */
  readonly from?: string;
};

const both = ['light', 'dark'] as const;

export const screen = { width: 1000, height: 700 };

const chosen: readonly DocsPicture[] = [
  { name: 'code', look: 'sign-in-code' },
  { name: 'account', look: 'account-files', from: '.files' },
  { name: 'inbox', look: 'inbox-messages' },
  { name: 'admin', look: 'admin-user', schemes: ['light'] },
];

export async function takeDocsPictures(tour: Tour, folder: string): Promise<void> {
  for (const { name, look, from, schemes = both } of chosen) {
    const { page } = await tour.show(find(look), 'en');
    for (const colorScheme of schemes) {
      await page.emulateMedia({ colorScheme });
      if (from !== undefined) await page.evaluate(`document.querySelector('${from}').scrollIntoView()`);
      await savePicture(await page.screenshot(), `${folder}${name}-${colorScheme}.png`);
    }
    await page.emulateMedia({ colorScheme: 'light' });
  }
}

function find(name: string): Look {
  const look = looks.find((one) => one.name === name);
  if (look === undefined) throw new Error(`no look ${name}`);
  return look;
}
