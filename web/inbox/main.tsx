// The inbox page: every SMS and mail that stayed on this machine.
import { render } from 'preact';
import { InboxPage } from './inbox-page.tsx';

const place = document.getElementById('page');
if (place !== null) {
  place.replaceChildren();
  render(<InboxPage />, place);
}
