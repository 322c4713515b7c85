// Runs axe on a page and describes each violation. The contrast of a text depends on its look alone, so one text of each look is measured.
import assert from 'node:assert/strict';
import { AxeBuilder } from '@axe-core/playwright';
import type { Page } from 'playwright-core';

/** `colours`: only what another colour scheme changes, and with the stricter contrast that these rules include. */
export async function findViolations(page: Page, scope: 'everything' | 'colours' = 'everything'): Promise<string[]> {
  // The quick way of axe looks into frames of the same origin only.
  assert.equal(page.frames().length, 1);
  assert.ok((await page.evaluate<number>(markLooks)) > 0, 'the page has no text');
  const texts = openAxe(page).include(`[${mark}]`);
  const others = scope === 'colours' ? [] : await describe(openAxe(page).disableRules('color-contrast'));
  await page.evaluate(hideRepetitions);
  const found = await describe(scope === 'colours' ? texts.withTags('cat.color') : texts.withRules('color-contrast'));
  await page.evaluate(showRepetitions);
  return [...others, ...found];
}

/** Of a page whose texts are in shadow roots: measures every text. Slower, for small pages. */
export async function findViolationsInShadow(page: Page): Promise<string[]> {
  assert.equal(page.frames().length, 1);
  return describe(openAxe(page));
}

/** Reports only violations: the description of passed checks takes longer than the checks. */
function openAxe(page: Page): AxeBuilder {
  return new AxeBuilder({ page }).setLegacyMode().options({ resultTypes: ['violations'] });
}

async function describe(axe: AxeBuilder): Promise<string[]> {
  const { violations } = await axe.analyze();
  return violations.map(({ id, nodes }) => `${id} ${nodes.map(({ html }) => html).join(' ')}`);
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
