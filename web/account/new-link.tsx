// A link that was just made: to copy, or to send with another app of the device. The service tells it only now.
import { useEffect, useRef, useState } from 'preact/hooks';
import { Button, Field } from '../parts/form-parts.tsx';
import { texts } from './account-texts.ts';

export function NewLink({ url, name }: { readonly url: string; readonly name: string }) {
  const [isCopied, setCopied] = useState(false);
  const input = useRef<HTMLInputElement>(null);
  /** The beginning stays in sight: it says whose link it is. */
  const select = () => {
    input.current?.focus();
    input.current?.setSelectionRange(0, url.length, 'backward');
    input.current?.scrollTo({ left: 0 });
  };
  useEffect(select, []);
  const copy = async () => {
    // A browser may refuse, or have no clipboard on plain http. Then the link is selected, and the user copies it.
    if (navigator.clipboard === undefined) select();
    else await navigator.clipboard.writeText(url).then(() => setCopied(true), select);
  };
  const data = { title: name, url };
  // A desktop browser has its own menu for that; the button is for phones.
  const canSend =
    typeof navigator.canShare === 'function' && navigator.canShare(data) && matchMedia('(pointer: coarse)').matches;
  return (
    <div class="new-link">
      <Field label={texts.newLink} hint={texts.newLinkHint}>
        {({ id, describedBy }) => (
          <input ref={input} id={id} aria-describedby={describedBy} readOnly dir="ltr" value={url} onClick={select} />
        )}
      </Field>
      <div class="row">
        <Button onClick={copy}>{isCopied ? texts.copied : texts.copyLink}</Button>
        {canSend && <Button onClick={() => navigator.share(data).catch(() => undefined)}>{texts.sendLink}</Button>}
      </div>
      <span class="visually-hidden" role="status">
        {isCopied ? texts.copied : ''}
      </span>
    </div>
  );
}
