// Remembers in which language a reader wants examples, and shows it everywhere.

const languageKey = 'gatehouse-docs-language';

choose(localStorage.getItem(languageKey));
document.addEventListener('change', ({ target }) => {
  if (!(target instanceof HTMLInputElement) || !target.name.endsWith('-language')) return;
  const before = target.getBoundingClientRect().top;
  localStorage.setItem(languageKey, target.value);
  choose(target.value);
  // Examples above may have become longer or shorter. What the reader looks at stays where it is.
  scrollBy({ top: target.getBoundingClientRect().top - before, behavior: 'instant' });
});

function choose(language: string | null): void {
  for (const input of document.querySelectorAll<HTMLInputElement>('.tabs input[type="radio"]'))
    if (input.value === language) input.checked = true;
}
