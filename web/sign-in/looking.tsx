// Stands for the form while a session is looked for. Who has one is not asked for a new code because the service does not answer.
import { LoadNotice } from '../parts/load-notice.tsx';
import { Skeleton } from '../parts/skeleton.tsx';
import type { Loading } from '../parts/use-loading.ts';
import { texts } from './sign-in-texts.ts';

export function Looking({ loading }: { readonly loading: Loading }) {
  return (
    <div class="looking step">
      {loading.isLate || loading.error !== undefined ? (
        <p class="lead">{texts.continuesSoon}</p>
      ) : (
        <Skeleton shape="lines" count={3} />
      )}
      <LoadNotice of={loading} />
      <span class="visually-hidden" role="status">
        {texts.loading}
      </span>
    </div>
  );
}
