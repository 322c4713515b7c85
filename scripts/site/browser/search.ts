// The search of the documentation: finds endpoints, errors and sections as the reader types, and works by keyboard alone.
import MiniSearch from 'minisearch';
import { find } from './find.ts';

type Entry = { readonly url: string; readonly title: string; readonly place: string; readonly text: string };
type Found = Pick<Entry, 'url' | 'title' | 'place'>;

const most = 12;
const box = find(document, '.search');
const input = find<HTMLInputElement>(box, 'input');
const list = find(box, '[role="listbox"]');
const status = find(box, '[role="status"]');
let index: Promise<MiniSearch<Entry>> | undefined;
let active = -1;

/** Loaded when it is first needed: most readers of a page do not search. */
function loadIndex(): Promise<MiniSearch<Entry>> {
  index ??= fetch('/docs/search.json')
    .then((answer) => answer.json() as Promise<Entry[]>)
    .then((entries) => {
      const created = new MiniSearch<Entry>({
        idField: 'url',
        fields: ['title', 'place', 'text'],
        storeFields: ['url', 'title', 'place'],
        tokenize: (text) => text.split(/[\s/_{}.,:;()#?=“”"'`|-]+/u),
        searchOptions: { boost: { title: 4, place: 2 }, prefix: true, fuzzy: 0.15, combineWith: 'AND' },
      });
      const known = new Set<string>();
      created.addAll(entries.filter(({ url }) => !known.has(url) && known.add(url)));
      return created;
    });
  return index;
}

input.addEventListener('focus', () => void loadIndex());
input.addEventListener('input', () => void search());
input.addEventListener('keydown', (event) => {
  if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
    event.preventDefault();
    move(event.key === 'ArrowDown' ? 1 : -1);
  } else if (event.key === 'Enter') list.children[Math.max(active, 0)]?.querySelector('a')?.click();
  else if (event.key === 'Escape') {
    if (input.value === '') input.blur();
    input.value = '';
    show([]);
  }
});
box.addEventListener('focusout', ({ relatedTarget }) => {
  if (!(relatedTarget instanceof Node) || !box.contains(relatedTarget)) close();
});
list.addEventListener('click', () => close());
document.addEventListener('keydown', (event) => {
  const isTyping =
    event.target instanceof Element && event.target.closest('input:not([type="radio"]), textarea') !== null;
  const isSlash = event.key === '/' && !isTyping && !event.ctrlKey && !event.metaKey && !event.altKey;
  if (!isSlash && !(event.key === 'k' && (event.ctrlKey || event.metaKey))) return;
  event.preventDefault();
  input.focus();
  input.select();
});

async function search(): Promise<void> {
  const words = input.value.trim();
  if (words === '') return show([]);
  const found = (await loadIndex()).search(words).slice(0, most) as unknown as Found[];
  if (input.value.trim() !== words) return;
  show(found);
  status.textContent = found.length === 0 ? 'Nothing found' : `${found.length} results`;
}

function show(found: readonly Found[]): void {
  active = -1;
  const nothing = Object.assign(document.createElement('p'), { className: 'nothing', textContent: 'Nothing found.' });
  list.replaceChildren(...found.map(toOption), ...(found.length === 0 && input.value.trim() !== '' ? [nothing] : []));
  list.hidden = list.childElementCount === 0;
  input.setAttribute('aria-expanded', String(found.length > 0));
  input.removeAttribute('aria-activedescendant');
  if (found.length > 0) move(1);
}

/** An option with a link, so that it opens in a new tab like any other link. */
function toOption({ url, title, place }: Found, number: number): HTMLElement {
  const option = document.createElement('div');
  option.id = `result-${number}`;
  option.role = 'option';
  const link = Object.assign(document.createElement('a'), { href: url, tabIndex: -1 });
  const name = Object.assign(document.createElement('b'), { textContent: title });
  const where = Object.assign(document.createElement('span'), { textContent: place });
  link.append(name, where);
  option.append(link);
  return option;
}

function move(step: number): void {
  const count = list.querySelectorAll('[role="option"]').length;
  if (count === 0) return;
  active = (active + step + count) % count;
  for (const [number, option] of [...list.children].entries()) option.ariaSelected = String(number === active);
  const current = list.children[active];
  input.setAttribute('aria-activedescendant', current?.id ?? '');
  current?.scrollIntoView({ block: 'nearest' });
}

function close(): void {
  list.hidden = true;
  input.setAttribute('aria-expanded', 'false');
}
