// The account page: who I am, my files, where I am signed in.
import { mount } from '../parts/mount.tsx';
import { AccountPage } from './account-page.tsx';

mount(<AccountPage />);
