// The landing page of a login link.
import { mount } from '../parts/mount.tsx';
import { LinkPage } from './link-page.tsx';

// A link without its token, as some mail programs cut it, is one that is not valid: the service says it in words for people.
const token = location.hash.slice(1) || 'none';
// Out of the address bar and the history before anything else happens.
history.replaceState(null, '', location.pathname);

mount(<LinkPage token={token} />);
