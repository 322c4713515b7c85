// The admin page: the support staff looks after people here.
import { mount } from '../parts/mount.tsx';
import { AdminPage } from './admin-page.tsx';

mount(<AdminPage />);
