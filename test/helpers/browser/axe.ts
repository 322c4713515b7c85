// Runs axe on a page and describes each violation. The contrast of a text depends on its look alone, so one text of each look is measured.
import assert from 'node:assert/strict';
import { createRequire } from 'node:module';
import type { Page } from 'playwright-core';

/** On a page with fewer elements, measuring every text is quicker than finding those that look alike. */
const fewElements = 600;

/** `colours`: only what another colour scheme changes, and with the stricter contrast that these rules include. */
export async function findViolations(page: Page, scope: 'everything' | 'colours' = 'everything'): Promise<string[]> {
  // This way of calling axe looks into no frame. A frame without scripts shows a mail, which is judged elsewhere.
  assert.ok((await page.locator('iframe:not([sandbox])').count()) === 0, 'axe does not see what is in frames');
  assert.ok((await page.evaluate<number>(markLooks)) > 0, 'the page has no text');
  const isSmall = (await page.evaluate<number>(`document.querySelectorAll('*').length`)) < fewElements;
  if (isSmall) return run(page, 'document', scope === 'colours' ? { runOnly: ['cat.color'] } : {});
  const others =
    scope === 'colours' ? [] : await run(page, 'document', { rules: { 'color-contrast': { enabled: false } } });
  await page.evaluate(hideRepetitions);
  const runOnly = scope === 'colours' ? ['cat.color'] : { type: 'rule', values: ['color-contrast'] };
  const found = await run(page, `[...document.querySelectorAll('[${mark}]')]`, { runOnly });
  await page.evaluate(showRepetitions);
  return [...others, ...found];
}

/** Of a page whose texts are in shadow roots: measures every text. Slower, for small pages. */
export function findViolationsInShadow(page: Page): Promise<string[]> {
  return run(page, 'document', {});
}

/** The package for Playwright brings axe. Its own builder would load it into the page for each call. */
const { source } = createRequire(import.meta.resolve('@axe-core/playwright'))('axe-core') as { source: string };

type Found = { readonly id: string; readonly nodes: readonly { readonly html: string }[] };

/** Reports only violations: the description of passed checks takes longer than the checks. */
async function run(page: Page, place: string, options: object): Promise<string[]> {
  // The text is long: a page gets it once.
  if (!(await page.evaluate<boolean>(`'axe' in window`))) await page.evaluate(source);
  const all = JSON.stringify({ resultTypes: ['violations'], iframes: false, ...options });
  const found = await page.evaluate<Found[]>(`axe.run(${place}, ${all}).then(({ violations }) => violations)`);
  return found.map(({ id, nodes }) => `${id} ${nodes.map(({ html }) => html).join(' ')}`);
}

const mark = 'data-look';

/** Marks the first visible element of each look: the styles of its own and of everything around it that shape a text or what is behind it. */
const markLooks = `(() => {
  const wanted = ['color', 'backgroundColor', 'backgroundImage', 'opacity', 'filter', 'fontSize', 'fontWeight', 'textShadow', 'textDecorationLine', 'position'];
  const lookOf = (element) => {
    if (element === null) return '';
    const style = getComputedStyle(element);
    return wanted.map((name) => style[name]).join(';') + '|' + lookOf(element.parentElement);
  };
  for (const old of document.querySelectorAll('[${mark}]')) old.removeAttribute('${mark}');
  const seen = new Set();
  for (const element of document.body.querySelectorAll('*')) {
    const hasText = [...element.childNodes].some(({ nodeType, data }) => nodeType === Node.TEXT_NODE && data.trim() !== '');
    if (!hasText && !element.matches('input, select, textarea')) continue;
    if (!element.checkVisibility({ visibilityProperty: true })) continue;
    const look = element.localName + '|' + element.matches(':disabled, :disabled *') + '|' + lookOf(element);
    if (seen.has(look)) continue;
    seen.add(look);
    element.setAttribute('${mark}', '');
  }
  return seen.size;
})()`;

const repetition = 'data-repetition';

/** Axe maps every visible element before it measures one. */
const hideRepetitions = `(() => {
  for (const part of document.body.querySelectorAll('section, article, details, li, tr')) {
    if (part.matches('[${mark}], [${mark}] *') || part.querySelector('[${mark}]') !== null) continue;
    part.setAttribute('${repetition}', part.style.display);
    part.style.setProperty('display', 'none', 'important');
  }
})()`;

const showRepetitions = `(() => {
  for (const part of document.querySelectorAll('[${repetition}]')) {
    part.style.setProperty('display', part.getAttribute('${repetition}'));
    part.removeAttribute('${repetition}');
  }
})()`;
