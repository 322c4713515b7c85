// Entry point of the admin page, where staff support users.
import { mount } from '../parts/mount.tsx';
import { AdminPage } from './admin-page.tsx';

mount(<AdminPage />);
