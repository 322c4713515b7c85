// Renders a page in place of the message for browsers without JavaScript.
import { type ComponentChild, render } from 'preact';

export function mount(page: ComponentChild): void {
  const place = document.getElementById('page');
  if (place === null) return;
  place.replaceChildren();
  render(page, place);
}
