// Shows the account of whoever is signed in, and leaves as soon as nobody is.
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

/** Soon enough to notice that another device ended this session. */
const lookEveryMilliseconds = 10_000;

export function AccountPage() {
  const [me, setMe] = useState<Calls['me']['data'] | undefined>();
  const task = useTask(texts.offline);
  const load = () => task.run(async () => setMe(await gatehouse.me()));
  if (task.error?.status === 401) leave();
  useEffect(() => {
    const stop = gatehouse.on('signed-out', leave);
    load();
    const stopLooking = lookNowAndThen(load);
    return () => {
      stop();
      stopLooking();
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

/** Whoever speaks first knows best why: the client tells of an ended session before the call that found out fails. */
function leave(event?: { readonly reason: string }): void {
  if (hasLeft) return;
  hasLeft = true;
  const why = event?.reason === 'ended' ? '&why=ended' : '';
  const isOwnWish = event?.reason === 'logged-out' || event?.reason === 'deleted';
  location.replace(isOwnWish ? '/' : `/?next=/account${why}`);
}

/** While someone can see the page, and at once when they come back to it. */
function lookNowAndThen(look: () => void): () => void {
  const lookIfSeen = () => {
    if (document.visibilityState === 'visible') look();
  };
  const timer = setInterval(lookIfSeen, lookEveryMilliseconds);
  document.addEventListener('visibilitychange', lookIfSeen);
  return () => {
    clearInterval(timer);
    document.removeEventListener('visibilitychange', lookIfSeen);
  };
}
