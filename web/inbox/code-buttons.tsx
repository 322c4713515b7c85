// Buttons for a code: fill it in on the page that waits for it, or copy it.
import { useState } from 'preact/hooks';
import { offerCode } from '../parts/fill-code.ts';
import { Button, Notice } from '../parts/form-parts.tsx';
import { fill } from '../parts/page-data.ts';
import { texts } from './inbox-texts.ts';

type Props = { readonly to: string; readonly code: string };

export function CodeButtons({ to, code }: Props) {
  const [notice, setNotice] = useState<string | undefined>();
  const fillIn = () => offerCode(to, code, (isTaken) => setNotice(isTaken ? texts.filledIn : texts.noPageWaits));
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
        {navigator.clipboard !== undefined && <Button onClick={copy}>{fill(texts.copyCode, { code })}</Button>}
      </div>
      <Notice kind="plain">{notice}</Notice>
    </>
  );
}
