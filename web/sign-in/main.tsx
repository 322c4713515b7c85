// Entry point of the sign-in page: phone and code, or a link by e-mail. An app that asks for the sign-in is in the facts.
import { mount } from '../parts/mount.tsx';
import { facts } from '../parts/page-data.ts';
import { SignInPage } from './sign-in-page.tsx';

const { authorization } = facts;
if (authorization === undefined) mount(<SignInPage />);
else {
  // Most visitors need none of this, so it is loaded only here. Its style is part of the page.
  void import('../app-sign-in/app-sign-in-page.tsx').then(({ AppSignInPage }) =>
    mount(<AppSignInPage authorization={authorization} />),
  );
}
