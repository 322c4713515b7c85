// The landing page of a login link.
import { mount } from '../parts/mount.tsx';
import { LinkPage } from './link-page.tsx';

const token = location.hash.slice(1);
// Out of the address bar and the history before anything else happens.
history.replaceState(null, '', location.pathname);

mount(<LinkPage token={token} />);
