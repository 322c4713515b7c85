// The sign-in page: phone and code, or a link by e-mail.
import { render } from 'preact';
import { SignInPage } from './sign-in-page.tsx';

const place = document.getElementById('page');
if (place !== null) {
  place.replaceChildren();
  render(<SignInPage />, place);
}
