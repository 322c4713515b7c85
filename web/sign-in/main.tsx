// Entry point of the sign-in page: phone and code, or a link by e-mail.
import { mount } from '../parts/mount.tsx';
import { SignInPage } from './sign-in-page.tsx';

mount(<SignInPage />);
