// Entry point of the inbox page of local mode: every SMS and e-mail that was not sent.
import { mount } from '../parts/mount.tsx';
import { InboxPage } from './inbox-page.tsx';

mount(<InboxPage />);
