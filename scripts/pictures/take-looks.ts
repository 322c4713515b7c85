// Takes each look in every form: light, dark, two widths of phones, and from right to left.
import type { Page } from 'playwright-core';
import type { Look } from '../../test/web/look/look.ts';
import { type Tour, tourLanguages } from '../../test/web/look/tour.ts';

type Form = {
  readonly name: string;
  readonly width: number;
  readonly height: number;
  readonly scheme?: 'light' | 'dark';
};

const wide = { name: 'light', width: 1000, height: 700 };
const phone = { name: 'phone', width: 390, height: 844 };
const leftToRight: readonly Form[] = [
  wide,
  { ...wide, name: 'dark', scheme: 'dark' },
  phone,
  { ...phone, name: 'phone-dark', scheme: 'dark' },
  { name: 'narrow', width: 320, height: 640 },
];
const rightToLeft: readonly Form[] = [
  { ...wide, name: 'rtl' },
  { ...phone, name: 'phone-rtl' },
];
/** A page of many screens is cut here. */
const longestHeight = 1800;

/** Returns what went wrong: one look that cannot be reached does not stop the others. */
export async function takeLooks(tour: Tour, looks: readonly Look[], folder: string): Promise<string[]> {
  const failed: string[] = [];
  for (const language of tourLanguages)
    for (const look of looks)
      try {
        const { page } = await tour.show(look, language);
        for (const form of language === 'en' ? leftToRight : rightToLeft)
          await take(page, form, `${folder}${look.name}-${form.name}.png`);
      } catch (error) {
        failed.push(String(error).split('\n').slice(0, 12).join('\n'));
      }
  return failed;
}

async function take(page: Page, { width, height, scheme = 'light' }: Form, path: string): Promise<void> {
  await page.emulateMedia({ colorScheme: scheme });
  await page.setViewportSize({ width, height });
  // What lies over the page is in the middle of the screen, not of the page.
  if ((await page.locator('dialog[open], [role=dialog], [role=menu]').count()) > 0) {
    await page.screenshot({ path });
    return page.emulateMedia({ colorScheme: 'light' });
  }
  await page.evaluate('scrollTo(0, 0)');
  const whole = await page.evaluate<number>('document.documentElement.scrollHeight');
  const clip = { x: 0, y: 0, width, height: Math.min(Math.max(whole, height), longestHeight) };
  await page.screenshot({ path, fullPage: true, clip });
  await page.emulateMedia({ colorScheme: 'light' });
}
