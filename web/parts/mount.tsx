// Puts a page into its place, instead of what stands there for browsers without script.
import { type ComponentChild, render } from 'preact';

export function mount(page: ComponentChild): void {
  const place = document.getElementById('page');
  if (place === null) return;
  place.replaceChildren();
  render(page, place);
}
