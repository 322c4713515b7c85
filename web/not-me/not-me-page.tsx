// Ends all sessions of the account that a notice is about, and undoes a change of its number, after a click. Opening it does nothing.
import { useEffect, useRef, useState } from 'preact/hooks';
import type { Texts } from '../../locales/languages.ts';
import { Button, Notice } from '../parts/form-parts.tsx';
import { gatehouse } from '../parts/gatehouse.ts';
import { pageTexts } from '../parts/page-data.ts';
import { PageFrame } from '../parts/page-frame.tsx';
import { useTask } from '../parts/use-task.ts';

type Pages = Texts['pages'];

const texts = pageTexts<Pages['common'] & Pages['not-me']>();

export function NotMePage({ token }: { readonly token: string }) {
  const [isDone, setDone] = useState(false);
  const task = useTask(texts.offline);
  const next = useRef<HTMLAnchorElement>(null);
  const refusal = token === '' ? texts.incomplete : describeRefusal(task.error?.code);
  const isOver = isDone || refusal !== undefined;
  // The button that had the focus was removed.
  useEffect(() => {
    if (isOver) next.current?.focus();
  }, [isOver]);
  const confirm = () =>
    task.run(async () => {
      await gatehouse.reportNotMe(token);
      setDone(true);
    });
  return (
    <PageFrame texts={texts} current="/not-me" width="narrow">
      <div class="card step">
        <h1>{texts.title}</h1>
        <Notice kind="good">{isDone ? texts.done : undefined}</Notice>
        <Notice kind="bad">{refusal ?? task.message}</Notice>
        {isDone && <p>{texts.next}</p>}
        {isOver ? (
          <a class="button primary" href="/" ref={next}>
            {texts.signIn}
          </a>
        ) : (
          <>
            <p>{texts.lead}</p>
            <Button kind="danger" isBusy={task.isBusy} onClick={confirm}>
              {texts.button}
            </Button>
          </>
        )}
      </div>
    </PageFrame>
  );
}

/** The messages of the service speak of sign-in links, and of nothing but the number. Undefined after any other failure: the user can try again. */
function describeRefusal(code: string | undefined): string | undefined {
  if (code === 'LINK_EXPIRED') return texts.expired;
  if (code === 'PHONE_TAKEN') return texts.taken;
  return code === 'LINK_INVALID' ? texts.used : undefined;
}
