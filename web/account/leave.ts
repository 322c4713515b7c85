// Leaves the account page for the sign-in page, once, and says there why.
import type { SignOutReason } from '../../client/src/events.ts';

let isHeld = false;
let hasLeft = false;

/** The first call has the reason: the client emits `signed-out` before the call that detected it fails. */
export function leave(reason?: SignOutReason): void {
  if (hasLeft || isHeld) return;
  hasLeft = true;
  const why = reason === 'ended' ? '&why=ended' : '';
  location.replace(reason === 'logged-out' ? '/' : `/?next=/account${why}`);
}

/** The user has been asked, or the session has ended: nothing more to warn about. */
export function isLeaving(): boolean {
  return hasLeft;
}

/** While the account is deleted, a check of the session may already be refused: the page stays, to say that it is done. */
export async function stayDuring(work: () => Promise<void>): Promise<void> {
  isHeld = true;
  try {
    await work();
  } catch (failure) {
    isHeld = false;
    throw failure;
  }
}

/** A request on its way may be refused before the sign-out is answered. The page leaves once, as signed out. */
export async function leaveAfter(signOut: () => Promise<void>): Promise<void> {
  await stayDuring(signOut);
  isHeld = false;
  leave('logged-out');
}
