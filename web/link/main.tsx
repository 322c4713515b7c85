// Entry point of the page that a sign-in link opens.
import { mount } from '../parts/mount.tsx';
import { keepFragment } from '../parts/reload-in.ts';
import { LinkPage } from './link-page.tsx';

// Some mail programs cut off the token. The service then refuses the link with a message for users.
const token = location.hash.slice(1) || 'none';
// Remove the token from the address bar and the history before anything else.
history.replaceState(null, '', location.pathname);
keepFragment(token);
// Another link that is opened in this tab changes only the fragment.
addEventListener('hashchange', () => location.reload());

mount(<LinkPage token={token} />);
