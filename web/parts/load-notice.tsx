// Says that loading takes long, or why it failed, with a button to try again at once.
import type { Texts } from '../../locales/languages.ts';
import { Button, Notice } from './form-parts.tsx';
import { pageTexts } from './page-data.ts';
import type { Loading } from './use-loading.ts';

const texts = pageTexts<Texts['pages']['common']>();

export function LoadNotice({ of: { isBusy, isLate, message, load } }: { readonly of: Loading }) {
  return (
    <>
      <Notice kind="bad">{message}</Notice>
      <Notice kind="plain">{isLate && message === undefined ? texts.slow : undefined}</Notice>
      {message !== undefined && (
        <div class="row">
          <Button isBusy={isBusy} onClick={load}>
            {texts.tryAgain}
          </Button>
        </div>
      )}
    </>
  );
}
