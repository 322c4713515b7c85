// The account page: who I am, my files, where I am signed in.
import { render } from 'preact';
import { AccountPage } from './account-page.tsx';

const place = document.getElementById('page');
if (place !== null) {
  place.replaceChildren();
  render(<AccountPage />, place);
}
