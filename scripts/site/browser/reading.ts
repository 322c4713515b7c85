// Helps to read a docs page: copies code, folds the list of pages on small screens, marks the section that is read.
import { find } from './find.ts';

for (const element of document.querySelectorAll<HTMLElement>('[data-needs-script]')) element.hidden = false;
for (const element of document.querySelectorAll('[data-origin]')) element.textContent = location.origin;
leadToReference();
offerCopy();
foldPages();
followReading();

/** The reference was on the first page once, and links to its endpoints are still about. */
function leadToReference(): void {
  const id = location.hash.slice(1);
  if (location.pathname !== '/docs' || id === '' || document.getElementById(id) !== null) return;
  void fetch('/docs/search.json')
    .then((answer) => answer.json() as Promise<readonly { readonly url: string }[]>)
    .then((entries) => {
      const found = entries.find(({ url }) => url.endsWith(`#${id}`));
      if (found !== undefined) location.replace(found.url);
    })
    .catch(() => undefined);
}

/** Browsers provide the clipboard on secure pages only. On other pages the buttons stay hidden. */
function offerCopy(): void {
  if (navigator.clipboard === undefined) return;
  for (const button of document.querySelectorAll<HTMLElement>('[data-copy]')) {
    button.hidden = false;
    button.addEventListener('click', async () => {
      await navigator.clipboard.writeText(shownCode(button.closest('figure')));
      button.textContent = 'Copied';
      setTimeout(() => {
        button.textContent = 'Copy';
      }, 1500);
    });
  }
}

/** Of several languages, the chosen one. */
function shownCode(figure: HTMLElement | null): string {
  const panels = [...(figure?.querySelectorAll<HTMLElement>('pre') ?? [])];
  return panels.find((panel) => panel.offsetParent !== null)?.textContent ?? '';
}

function foldPages(): void {
  const pages = find<HTMLDetailsElement>(document, '.side details');
  const wide = matchMedia('(min-width: 60rem)');
  const adapt = () => {
    pages.open = wide.matches;
  };
  adapt();
  pages.dataset.folds = '';
  wide.addEventListener('change', adapt);
  pages.addEventListener('click', ({ target }) => {
    if (!wide.matches && target instanceof Element && target.closest('a') !== null) pages.open = false;
  });
  if (wide.matches) scrollTo(document.querySelector('.side [aria-current]'), find(document, '.side'));
}

/** Marks the current section in the contents. */
function followReading(): void {
  const side = document.querySelector<HTMLElement>('.contents') ?? find(document, '.side');
  const links = new Map(
    [...side.querySelectorAll<HTMLAnchorElement>('a[href^="#"]')].map((link) => [link.hash.slice(1), link]),
  );
  const observer = new IntersectionObserver(
    (entries) => {
      const entered = entries.find(({ isIntersecting }) => isIntersecting);
      if (entered === undefined) return;
      for (const link of links.values()) link.removeAttribute('aria-current');
      const current = links.get(entered.target.id);
      current?.setAttribute('aria-current', 'true');
      if (current !== undefined) scrollTo(current, side);
    },
    { rootMargin: '-10% 0px -80% 0px' },
  );
  for (const part of document.querySelectorAll('main article[id], main h2[id], main h3[id]'))
    if (links.has(part.id)) observer.observe(part);
}

/** Scrolls the list only: scrollIntoView would interrupt the page while it scrolls to an anchor. */
function scrollTo(link: Element | null, side: HTMLElement): void {
  if (link === null) return;
  const box = side.getBoundingClientRect();
  const place = link.getBoundingClientRect();
  if (place.top < box.top || place.bottom > box.bottom) side.scrollTop += place.top - box.top - box.height / 2;
}
