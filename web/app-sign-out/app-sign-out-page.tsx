// Asks before a sign-out that an app wants, then goes on to the app, or says that it is done.
import { useEffect, useRef, useState } from 'preact/hooks';
import type { Texts } from '../../locales/languages.ts';
import { AppMark } from '../parts/app-mark.tsx';
import { brand } from '../parts/brand.ts';
import { Button, Notice } from '../parts/form-parts.tsx';
import { gatehouse } from '../parts/gatehouse.ts';
import { facts, fill, pageTexts } from '../parts/page-data.ts';
import { PageFrame } from '../parts/page-frame.tsx';
import { useTask } from '../parts/use-task.ts';

type Pages = Texts['pages'];

const texts = pageTexts<Pages['common'] & Pages['app-sign-out']>();
const { app, isSignedOut, continueUrl } = facts.appSignOut ?? { app: null, isSignedOut: false, continueUrl: null };
const names = { brand: brand.name, app: app?.name ?? brand.name };

export function AppSignOutPage() {
  const [isDone, setDone] = useState(isSignedOut);
  const task = useTask(texts.offline);
  const heading = useRef<HTMLHeadingElement>(null);
  // The button that had the focus is removed.
  useEffect(() => heading.current?.focus(), [isDone]);
  const signOut = () =>
    task.run(async () => {
      await gatehouse.signOut();
      setDone(true);
      if (continueUrl !== null) location.replace(continueUrl);
    });
  return (
    <PageFrame texts={texts} current="" width="narrow" links={[]}>
      <div class="card step">
        {app !== null && <AppMark app={app} />}
        <h1 tabIndex={-1} ref={heading}>
          {isDone ? texts.doneTitle : fill(texts.question, names)}
        </h1>
        {isDone && continueUrl === null && <p class="lead">{texts.done}</p>}
        {isDone && continueUrl !== null && (
          <a class="button primary" href={continueUrl}>
            {fill(texts.goOn, names)}
          </a>
        )}
        {!isDone && (
          <>
            {app !== null && <p>{fill(texts.askedBy, names)}</p>}
            <p class="lead">{fill(texts.lead, names)}</p>
            <Notice kind="bad">{task.message}</Notice>
            <Button kind="primary" isBusy={task.isBusy} onClick={signOut}>
              {texts.title}
            </Button>
            <a class="button plain" href="/account">
              {texts.stay}
            </a>
          </>
        )}
      </div>
    </PageFrame>
  );
}
