// What one line of the table of looks is: a page in one state, and how a browser gets there.
import type { Locator, Page } from 'playwright-core';
import type { Language } from '../../../src/kernel/text/language.ts';
import { eventually, type Message } from '../../helpers/browser/page-stage.ts';
import type { Say } from './say.ts';

/** Whose browser: nobody's, that of a user with files, a second one of the same user, that of a user without files, that of staff. */
export type Who = 'guest' | 'owner' | 'uploader' | 'newcomer' | 'staff';

/** What was prepared before the tour. */
export type Prepared = {
  readonly phone: string;
  readonly email: string;
  readonly userId: string;
  readonly pictureLink: string;
  readonly documentLink: string;
  readonly pictureId: string;
  /** A file whose bytes are lost. */
  readonly lostId: string;
};

export type Scene = {
  readonly page: Page;
  readonly url: string;
  readonly language: Language;
  /** The words of the page, in the language of the tour. */
  readonly say: Say;
  readonly prepared: Prepared;
  readonly messages: (to: string) => Promise<Message[]>;
  /** Signs a new user in, in this browser. */
  readonly signIn: () => Promise<string>;
  /** A link by e-mail that nobody has used. */
  readonly newLink: () => Promise<string>;
};

export type Look = {
  /** Begins with the page: `sign-in-code`. The picture has this name. */
  readonly name: string;
  readonly who: Who;
  /** Opens the page and brings it to the state. */
  readonly show: (scene: Scene) => Promise<unknown>;
  /** Statuses that the state provokes. The browser reports each of them as an error. */
  readonly statuses?: readonly number[];
  /** Shows light and dark side by side, so the stricter contrast of the dark mode holds for a part of it only. */
  readonly hasBothSchemes?: boolean;
  /** Only the first part of a long page, in pictures. */
  readonly isLong?: boolean;
};

/** Presses the button of this name, or chooses it in the menu that hides it. */
export async function choose(place: Locator, label: string): Promise<void> {
  const button = place.getByRole('button', { name: label }).first();
  if ((await button.count()) === 0) {
    await openMenu(place);
    await place.page().getByRole('menuitem', { name: label }).first().click();
  } else await button.click();
}

export async function openMenu(place: Locator): Promise<void> {
  await place.locator('[aria-haspopup="menu"]').first().click();
  await place.page().getByRole('menu').waitFor();
}

/** A picture that is still on its way would change the look. */
export async function allLoaded(page: Page): Promise<void> {
  await eventually(() => page.evaluate('[...document.images].every((image) => image.complete)'));
}

/** Answers calls to this path with a refusal, in the words of the service. */
export async function refuse(scene: Scene, path: string, status: number, code: Code, values = {}): Promise<void> {
  const body = { success: false, message: scene.say.failure(code, values), codeError: code, data: null };
  const headers = { 'retry-after': '57' };
  await scene.page.route(`${scene.url}${path}`, (route) => route.fulfill({ status, headers, json: body }));
}

type Code = Parameters<Say['failure']>[0];

/** Calls to this path get no answer until the next look. */
export async function hold({ page, url }: Scene, path: string): Promise<void> {
  await page.route(`${url}${path}`, () => undefined);
}
