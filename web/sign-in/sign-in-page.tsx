// The sign-in page of this service. It leads to the page that sent the user here, or to the account.
import { useEffect, useState } from 'preact/hooks';
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
  const [isDone, setIsDone] = useState(false);
  const goOn = () => {
    const next = openNextPage();
    // A browser that saves the file instead of showing it stays on this page.
    if (new URL(next, location.origin).pathname.startsWith('/file/')) setIsDone(true);
  };
  useEffect(() => void goOnIfSignedIn(goOn), []);
  return (
    <PageFrame texts={texts} current="/" width="narrow">
      <LocalStrip texts={texts} />
      {wasEnded && <Notice kind="plain">{texts.wasEnded}</Notice>}
      <div class="card sign-in">{isDone ? <SignedIn /> : <SignInSteps title={texts.title} onSignedIn={goOn} />}</div>
    </PageFrame>
  );
}

/**
 * The page that sent the user here may be one that the service itself guards. It would send the user back if the access token has
 * expired, so it is renewed first. If the session has ended, this fails, and the user signs in.
 */
async function goOnIfSignedIn(goOn: () => void): Promise<void> {
  if (!(await gatehouse.isSignedIn())) return;
  try {
    if (nextPage(location.search, location.origin) !== '/account') await gatehouse.refresh();
    goOn();
  } catch {
    // The form is there.
  }
}

function openNextPage(): string {
  const next = nextPage(location.search, location.origin);
  location.replace(next);
  return next;
}

function SignedIn() {
  return (
    <div class="step">
      <Notice kind="good">{texts.signedIn}</Notice>
      <a class="button plain" href="/account">
        {texts.toAccount}
      </a>
    </div>
  );
}
