// Entry point of the page that asks before a sign-out that an app wants, and says that it is done.
import { mount } from '../parts/mount.tsx';
import { AppSignOutPage } from './app-sign-out-page.tsx';

mount(<AppSignOutPage />);
