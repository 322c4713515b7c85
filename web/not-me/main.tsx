// Entry point of the page that the link “this was not me” of a notice opens.
import { mount } from '../parts/mount.tsx';
import { keepFragment } from '../parts/reload-in.ts';
import { NotMePage } from './not-me-page.tsx';

// Empty if a mail program cut off the token, and after a reload.
const token = location.hash.slice(1);
// Remove the token from the address bar and the history before anything else.
history.replaceState(null, '', location.pathname);
keepFragment(token);
// Another link that is opened in this tab changes only the fragment.
addEventListener('hashchange', () => location.reload());

mount(<NotMePage token={token} />);
