// Buttons for a code: fill it in on the page that waits for it, or copy it.
import { useState } from 'preact/hooks';
import { fill } from '../parts/facts.ts';
import { offerCode } from '../parts/fill-code.ts';
import { Button, Notice } from '../parts/form-parts.tsx';
import { texts } from './inbox-texts.ts';

type Props = { readonly to: string; readonly code: string };

export function CodeButtons({ to, code }: Props) {
  const [notice, setNotice] = useState<string | undefined>();
  const fillIn = async () => setNotice((await offerCode(to, code)) ? texts.filledIn : texts.noPageWaits);
  const copy = async () => {
    await navigator.clipboard.writeText(code);
    setNotice(texts.copied);
  };
  return (
    <>
      <div class="row">
        <Button kind="primary" onClick={fillIn}>
          {texts.fillIn}
        </Button>
        <Button onClick={copy}>{fill(texts.copyCode, { code })}</Button>
      </div>
      <Notice kind="plain">{notice}</Notice>
    </>
  );
}
