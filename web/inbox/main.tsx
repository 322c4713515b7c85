// The inbox page: every SMS and mail that stayed on this machine.
import { mount } from '../parts/mount.tsx';
import { InboxPage } from './inbox-page.tsx';

mount(<InboxPage />);
