// The landing page of a login link.
import { render } from 'preact';
import { LinkPage } from './link-page.tsx';

const token = location.hash.slice(1);
// Out of the address bar and the history before anything else happens.
history.replaceState(null, '', location.pathname);

const place = document.getElementById('page');
if (place !== null) {
  place.replaceChildren();
  render(<LinkPage token={token} />, place);
}
