// Shows the account of the signed-in user. Redirects to the sign-in page when the session ends.
import { useEffect, useRef, useState } from 'preact/hooks';
import type { Calls } from '../../client/src/api-types.ts';
import { endsSession } from '../../client/src/ends-session.ts';
import type { ScheduledPhone } from '../../client/src/phone-calls.ts';
import { Icon, mailIcon, phoneIcon } from '../parts/icon.tsx';
import { LoadNotice } from '../parts/load-notice.tsx';
import { LocalStrip } from '../parts/local-strip.tsx';
import { mayPass } from '../parts/may-pass.ts';
import { PageFrame } from '../parts/page-frame.tsx';
import { formatPhone } from '../parts/phone-input.ts';
import { useLoading } from '../parts/use-loading.ts';
import { gatehouse } from './gatehouse.ts';
import './account-page.css';
import { texts } from './account-texts.ts';
import { AppsCard } from './apps-card.tsx';
import { DeleteCard } from './delete-card.tsx';
import { DeletedCard } from './deleted-card.tsx';
import { EmailCard } from './email-card.tsx';
import { FilesCard } from './files-card.tsx';
import { leave } from './leave.ts';
import { LoadingCards } from './loading-cards.tsx';
import { PhoneCard } from './phone-card.tsx';
import { SessionsCard } from './sessions-card.tsx';
import { useProof } from './use-proof.tsx';

type Account = { readonly me: Calls['me']['data']; readonly scheduled: ScheduledPhone | null };

/** How often the page checks whether another device has ended this session. */
const checkEveryMilliseconds = 10_000;

export function AccountPage() {
  const [account, setAccount] = useState<Account | undefined>();
  const [deletedAt, setDeletedAt] = useState<string | undefined>();
  const loading = useLoading(async () => {
    const [me, scheduled] = await Promise.all([gatehouse.me(), gatehouse.phone.scheduled()]);
    setAccount({ me, scheduled });
  }, texts.offline);
  const { error, load } = loading;
  if (endsSession(error) && deletedAt === undefined) leave();
  const isFailing = useRef(false);
  // What does not pass is not tried again by itself, but may be over at the next look.
  isFailing.current = error !== undefined && mayPass(error);
  useEffect(() => {
    load();
    const stopChecking = checkRegularly(load, () => isFailing.current);
    const stop = gatehouse.on('signed-out', ({ reason }) => {
      stopChecking();
      if (reason === 'deleted') setDeletedAt(new Date().toISOString());
      else leave(reason);
    });
    return () => {
      stop();
      stopChecking();
    };
  }, []);
  if (deletedAt !== undefined)
    return (
      <PageFrame texts={texts} current="" width="narrow">
        <DeletedCard at={deletedAt} />
      </PageFrame>
    );
  return (
    <PageFrame texts={texts} current="/account" width="wide" isSignedIn>
      <LocalStrip texts={texts} />
      <LoadNotice of={loading} />
      {account === undefined ? <LoadingCards /> : <Cards {...account} onChange={load} />}
    </PageFrame>
  );
}

function Cards({ me, scheduled, onChange }: Account & { readonly onChange: () => void }) {
  const { prove, dialog } = useProof(me);
  // The sessions of an app end with its access, so the list is read again.
  const [removals, setRemovals] = useState(0);
  const [isUploading, setUploading] = useState(false);
  return (
    <>
      <section class="card who" aria-labelledby="who">
        <h1 id="who">{texts.hello}</h1>
        <div class="way">
          <Icon of={phoneIcon} />
          <dl>
            <dt>{texts.phone}</dt>
            <dd>{me.phone === null ? <Missing>{texts.noPhone}</Missing> : formatPhone(me.phone)}</dd>
          </dl>
          <PhoneCard
            phone={me.phone}
            hasEmail={me.email !== null}
            scheduled={scheduled}
            prove={prove}
            onChanged={onChange}
          />
        </div>
        <div class="way">
          <Icon of={mailIcon} />
          <dl>
            <dt>{texts.email}</dt>
            <dd>{me.email ?? <Missing>{texts.noEmail}</Missing>}</dd>
          </dl>
          <EmailCard email={me.email} isRemovable={me.phone !== null} prove={prove} onChanged={onChange} />
        </div>
      </section>
      <FilesCard user={me.id} onUploading={setUploading} />
      <AppsCard onRemoved={() => setRemovals(removals + 1)} />
      <SessionsCard key={removals} isUploading={isUploading} />
      <DeleteCard prove={prove} />
      {dialog}
    </>
  );
}

function Missing({ children }: { readonly children: string }) {
  return <span class="missing">{children}</span>;
}

/** Checks while the page is visible, and at once when it becomes visible again. After a failure, the next attempt has a time of its own. */
function checkRegularly(check: () => void, isFailing: () => boolean): () => void {
  const checkIfVisible = () => {
    if (document.visibilityState === 'visible') check();
  };
  const timer = setInterval(() => isFailing() || checkIfVisible(), checkEveryMilliseconds);
  document.addEventListener('visibilitychange', checkIfVisible);
  return () => {
    clearInterval(timer);
    document.removeEventListener('visibilitychange', checkIfVisible);
  };
}
