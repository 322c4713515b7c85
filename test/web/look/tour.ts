// Opens every look of the table in turn: one service, one browser, one browser profile for each kind of visitor.
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { BrowserContextOptions, Page } from 'playwright-core';
import { languageCookie } from '../../../src/http/pages/page-language.ts';
import { type Language, languages } from '../../../src/kernel/text/language.ts';
import { openPageStage, type Visitor } from '../../helpers/browser/page-stage.ts';
import type { Look, Prepared, Scene, Who } from './look.ts';
import { newLoginLink, prepareOwner, prepareStaff, signInHere } from './prepare.ts';
import { sayIn } from './say.ts';

export type Tour = NonNullable<Awaited<ReturnType<typeof openTour>>>;

/** English, and a language from right to left once there is one. */
export const tourLanguages: readonly Language[] = languages.filter((language) => ['en', 'ar'].includes(language));

/** Undefined if there is no browser. */
export async function openTour(options: BrowserContextOptions = {}) {
  const folder = mkdtempSync(join(tmpdir(), 'gatehouse-looks-'));
  const redirectUris = ['http://localhost/livez'];
  const apps = [
    { id: 'notes', name: 'Notes', redirectUris, firstParty: true },
    { id: 'calendar', name: 'Calendar', redirectUris, firstParty: false, scopes: ['openid', 'email', 'files'] },
  ];
  writeFileSync(join(folder, 'apps.json'), JSON.stringify(apps));
  const stage = await openPageStage({ APPS_FILE: join(folder, 'apps.json'), BRAND_NAME: 'Gatehouse' });
  if (stage === undefined) return undefined;
  const { url, env } = stage;
  const visit = () => stage.visit({ viewport: { width: 1000, height: 700 }, colorScheme: 'light', ...options });
  const visitors: Record<Who, Visitor> = {
    guest: await visit(),
    owner: await visit(),
    uploader: await visit(),
    newcomer: await visit(),
    staff: await visit(),
  };
  const prepared: Prepared = await prepareOwner(url, env, visitors.owner.context);
  await visitors.uploader.context.addCookies(await visitors.owner.context.cookies());
  await signInHere(url, visitors.newcomer.context);
  await prepareStaff(env, visitors.staff.context);

  const show = async ({ name, who, show: bring, statuses = [] }: Look, language: Language): Promise<Visitor> => {
    const visitor = visitors[who];
    const { page, context } = visitor;
    if (who === 'guest') await context.clearCookies();
    await page.unrouteAll({ behavior: 'ignoreErrors' });
    await page.goto('about:blank');
    await forgetUploads(page, url);
    await context.addCookies([{ name: languageCookie, value: language, url }]);
    const before = visitor.problems().length;
    const scene: Scene = {
      page,
      url,
      language,
      say: sayIn(language),
      prepared,
      messages: stage.messages,
      signIn: async () => (await signInHere(url, context)).phone,
      newLink: () => newLoginLink(url),
    };
    await bring(scene).catch((error: Error) => {
      error.message = `${name} (${language}): ${error.message}`;
      throw error;
    });
    const isExpected = (problem: string) =>
      statuses.some((status) =>
        status === 0 ? problem.includes('net::ERR_FAILED') : problem.includes(`status of ${status}`),
      );
    const problems = visitor.problems().slice(before);
    assert.deepEqual(
      problems.filter((problem) => !isExpected(problem)),
      [],
      `${name} (${language})`,
    );
    return visitor;
  };

  return {
    stage,
    url,
    prepared,
    /** Brings the page of its visitor to the look. Throws if the browser reports an error. */
    show,
    close: async () => {
      await stage.close();
      rmSync(folder, { recursive: true });
    },
  };
}

/** The browser remembers uploads that are not complete, and goes on with them. */
async function forgetUploads(page: Page, origin: string): Promise<void> {
  const session = await page.context().newCDPSession(page);
  await session.send('Storage.clearDataForOrigin', { origin, storageTypes: 'indexeddb' });
  await session.detach();
}
