// The sign-in page of this service. It leads to the page that sent the user here, or to the account.
import { useEffect } from 'preact/hooks';
import { Notice } from '../parts/form-parts.tsx';
import { gatehouse } from '../parts/gatehouse.ts';
import { LocalStrip } from '../parts/local-strip.tsx';
import { PageFrame } from '../parts/page-frame.tsx';
import { nextPage } from './next-page.ts';
import { SignInSteps } from './sign-in-steps.tsx';
import { texts } from './sign-in-texts.ts';

/** The account page redirects here with `why=ended` if the service ended the session. */
const wasEnded = new URLSearchParams(location.search).get('why') === 'ended';

export function SignInPage() {
  useEffect(() => void goOnIfSignedIn(), []);
  return (
    <PageFrame texts={texts} current="/" width="narrow">
      <LocalStrip texts={texts} />
      {wasEnded && <Notice kind="plain">{texts.wasEnded}</Notice>}
      <div class="card sign-in">
        <SignInSteps title={texts.title} onSignedIn={openNextPage} />
      </div>
    </PageFrame>
  );
}

/**
 * The page that sent the user here may be one that the service itself guards. It would send the user back if the access token has
 * expired, so it is renewed first. If the session has ended, this fails, and the user signs in.
 */
async function goOnIfSignedIn(): Promise<void> {
  if (!(await gatehouse.isSignedIn())) return;
  try {
    if (nextPage(location.search, location.origin) !== '/account') await gatehouse.refresh();
    openNextPage();
  } catch {
    // The form is there.
  }
}

function openNextPage(): void {
  location.replace(nextPage(location.search, location.origin));
}
