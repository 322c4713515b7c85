// Entry point of the account page: account, files and sessions.
import { mount } from '../parts/mount.tsx';
import { AccountPage } from './account-page.tsx';

mount(<AccountPage />);
