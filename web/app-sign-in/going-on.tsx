// Shown while the browser goes on to the app. An app on the device opens beside the page, and in some browsers only after a click.
import { useEffect, useRef, useState } from 'preact/hooks';
import { Button } from '../parts/form-parts.tsx';
import { fill, type ShownApp } from '../parts/page-data.ts';
import { texts } from '../sign-in/sign-in-texts.ts';

/** Long enough for the page of an app to appear instead. */
const patienceMilliseconds = 2000;

export function GoingOn({ app, onGoOn }: { readonly app: ShownApp; readonly onGoOn: () => void }) {
  const [isLate, setLate] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setLate(true), patienceMilliseconds);
    return () => clearTimeout(timer);
  }, []);
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => heading.current?.focus(), [isLate]);
  if (!isLate) return <span class="spinner" aria-hidden="true" />;
  return (
    <div class="step">
      <h1 tabIndex={-1} ref={heading}>
        {texts.app.doneTitle}
      </h1>
      <p class="lead">{fill(texts.app.notOpened, { app: app.name })}</p>
      <Button kind="primary" onClick={onGoOn}>
        {fill(texts.app.goOn, { app: app.name })}
      </Button>
    </div>
  );
}
