// The start of the page: shows the notebook or the sign-in, and says why a session has ended.
import { createGatehouse } from '@gatehouse/client';
import { hideNotebook, prepareNotebook, SessionEnd, showNotebook } from './notebook.js';
import { find, notify, onClick } from './page.js';
import { hideSignIn, prepareSignIn, showSignIn } from './sign-in.js';

/** @type {Readonly<Record<string, string>>} */
const farewells = {
  'logged-out': 'You have signed out.',
  ended: 'Your session has ended: you signed out on another device, or support did it. You can sign in again.',
  blocked: 'Support has blocked your account.',
  deleted: 'Your account and your notes have been deleted.',
};
const pauseMilliseconds = 2000;

const url = document.querySelector('meta[name=gatehouse]')?.getAttribute('content') ?? '';
// Gatehouse is on the same site (here: another port), so its cookies hold the tokens, and no script can read them.
const gatehouse = createGatehouse({ url, mode: 'cookie' });
/** Counts the sign-ins, so that the work for an earlier one ends. */
let visit = 0;
let isOpen = false;

prepareSignIn(gatehouse);
prepareNotebook(gatehouse);
onClick(find('sign-out', HTMLButtonElement), () => gatehouse.signOut());
gatehouse.on('signed-in', () => void open());
gatehouse.on('signed-out', ({ reason }) => close(reason));
if (await gatehouse.isSignedIn()) void open();
else showSignIn();

/** Shows the notebook, and asks again every two seconds: for notes of others, and whether the session still lives. */
async function open() {
  visit += 1;
  isOpen = true;
  hideSignIn();
  notify('');
  for (const own = visit; isOpen && own === visit; await pause()) {
    const error = await showNotebook(gatehouse).catch((reason) => reason);
    if (own !== visit) return;
    if (error instanceof SessionEnd) closeWith(error.why);
    else if (error !== undefined) notify(error.message);
  }
}

/**
 * The client only knows that a session was ended. The app's server may know why, and says it a moment later.
 *
 * @param {string} why
 */
function closeWith(why) {
  if (isOpen || why !== 'ended') close(why);
}

/** @param {string} why */
function close(why) {
  if (isOpen) {
    hideNotebook();
    showSignIn();
  }
  isOpen = false;
  notify(farewells[why] ?? '');
}

function pause() {
  return new Promise((resolve) => setTimeout(resolve, pauseMilliseconds));
}
