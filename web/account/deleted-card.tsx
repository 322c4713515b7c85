// Says that the account is gone: what was deleted and when, and how to come back.
import { useEffect, useRef } from 'preact/hooks';
import { formatDateTime } from '../parts/format.ts';
import { checkIcon, Icon } from '../parts/icon.tsx';
import { fill } from '../parts/page-data.ts';
import { texts } from './account-texts.ts';

export function DeletedCard({ at }: { readonly at: string }) {
  const heading = useRef<HTMLHeadingElement>(null);
  // The dialog that had the focus is gone.
  useEffect(() => heading.current?.focus(), []);
  return (
    <div class="card step deleted-card">
      <Icon of={checkIcon} />
      <h1 tabIndex={-1} ref={heading}>
        {texts.deletedTitle}
      </h1>
      <p class="lead">{fill(texts.deletedLead, { time: formatDateTime(at) })}</p>
      <p>{texts.deletedBack}</p>
      <a class="button primary" href="/">
        {texts.toStart}
      </a>
    </div>
  );
}
