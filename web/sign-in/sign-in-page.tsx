// The sign-in page of this service. It leads to the page that sent the user here, or to the account.
import { useEffect, useState } from 'preact/hooks';
import { endsSession } from '../../client/src/ends-session.ts';
import { Notice } from '../parts/form-parts.tsx';
import { gatehouse } from '../parts/gatehouse.ts';
import { LocalStrip } from '../parts/local-strip.tsx';
import { PageFrame } from '../parts/page-frame.tsx';
import { useLoading } from '../parts/use-loading.ts';
import { Looking } from './looking.tsx';
import { nextPage } from './next-page.ts';
import { SignInSteps } from './sign-in-steps.tsx';
import { texts } from './sign-in-texts.ts';

/** The account page redirects here with `why=ended` if the service ended the session. */
const wasEnded = new URLSearchParams(location.search).get('why') === 'ended';

export function SignInPage() {
  const [shown, show] = useState<'form' | 'looking' | 'done'>('form');
  const goOn = () => {
    const next = openNextPage();
    // A browser that saves the file instead of showing it stays on this page.
    if (new URL(next, location.origin).pathname.startsWith('/file/')) show('done');
  };
  const looking = useLoading(async () => {
    if (await isRenewed()) goOn();
    else show('form');
  }, texts.offline);
  useEffect(() => {
    void gatehouse.isSignedIn().then((isSignedIn) => {
      if (!isSignedIn) return;
      show('looking');
      looking.load();
    });
  }, []);
  return (
    <PageFrame texts={texts} current="/" width="narrow">
      <LocalStrip texts={texts} />
      {wasEnded && <Notice kind="plain">{texts.wasEnded}</Notice>}
      <div class="card sign-in">
        {shown === 'form' && <SignInSteps title={texts.title} onSignedIn={goOn} />}
        {shown === 'looking' && <Looking loading={looking} onForm={() => show('form')} />}
        {shown === 'done' && <SignedIn />}
      </div>
    </PageFrame>
  );
}

/**
 * The page that sent the user here may be one that the service itself guards. It would send the user back if the access token has
 * expired, so it is renewed first. False if the session has ended: the user signs in.
 */
async function isRenewed(): Promise<boolean> {
  try {
    if (nextPage(location.search, location.origin) !== '/account') await gatehouse.refresh();
    return true;
  } catch (failure) {
    if (endsSession(failure)) return false;
    throw failure;
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
