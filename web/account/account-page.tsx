// Shows the account of the signed-in user. Redirects to the sign-in page when the session ends.
import { useEffect, useState } from 'preact/hooks';
import type { Calls } from '../../client/src/api-types.ts';
import { Notice } from '../parts/form-parts.tsx';
import { gatehouse } from '../parts/gatehouse.ts';
import { LocalStrip } from '../parts/local-strip.tsx';
import { PageFrame } from '../parts/page-frame.tsx';
import { useTask } from '../parts/use-task.ts';
import './account-page.css';
import { texts } from './account-texts.ts';
import { DeleteCard } from './delete-card.tsx';
import { EmailCard } from './email-card.tsx';
import { FilesCard } from './files-card.tsx';
import { SessionsCard } from './sessions-card.tsx';

/** How often the page checks whether another device has ended this session. */
const checkEveryMilliseconds = 10_000;

export function AccountPage() {
  const [me, setMe] = useState<Calls['me']['data'] | undefined>();
  const task = useTask(texts.offline);
  const load = () => task.run(async () => setMe(await gatehouse.me()));
  if (task.error?.status === 401) leave();
  useEffect(() => {
    const stop = gatehouse.on('signed-out', leave);
    load();
    const stopChecking = checkRegularly(load);
    return () => {
      stop();
      stopChecking();
    };
  }, []);
  return (
    <PageFrame texts={texts} current="/account" width="wide" isSignedIn>
      <LocalStrip texts={texts} />
      <Notice kind="bad">{task.message}</Notice>
      {me !== undefined && (
        <>
          <section class="card who" aria-labelledby="who">
            <h1 id="who">{texts.hello}</h1>
            <dl>
              <div>
                <dt>{texts.phone}</dt>
                <dd>{me.phone}</dd>
              </div>
              <div>
                <dt>{texts.email}</dt>
                <dd>{me.email ?? texts.noEmail}</dd>
              </div>
            </dl>
            <EmailCard email={me.email} onBound={load} />
          </section>
          <FilesCard />
          <SessionsCard />
          <DeleteCard />
        </>
      )}
    </PageFrame>
  );
}

let hasLeft = false;

/** The first call has the reason: the client emits `signed-out` before the call that detected it fails. */
function leave(event?: { readonly reason: string }): void {
  if (hasLeft) return;
  hasLeft = true;
  const why = event?.reason === 'ended' ? '&why=ended' : '';
  const isUserAction = event?.reason === 'logged-out' || event?.reason === 'deleted';
  location.replace(isUserAction ? '/' : `/?next=/account${why}`);
}

/** Checks while the page is visible, and at once when it becomes visible again. */
function checkRegularly(check: () => void): () => void {
  const checkIfVisible = () => {
    if (document.visibilityState === 'visible') check();
  };
  const timer = setInterval(checkIfVisible, checkEveryMilliseconds);
  document.addEventListener('visibilitychange', checkIfVisible);
  return () => {
    clearInterval(timer);
    document.removeEventListener('visibilitychange', checkIfVisible);
  };
}
