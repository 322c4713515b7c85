// Stands for the form while a session is looked for. Who has one is not asked for a new code because the service does not answer.
import { Button } from '../parts/form-parts.tsx';
import { LoadNotice } from '../parts/load-notice.tsx';
import { Skeleton } from '../parts/skeleton.tsx';
import type { Loading } from '../parts/use-loading.ts';
import { texts } from './sign-in-texts.ts';

type Props = {
  readonly loading: Loading;
  /** The user would rather sign in than wait. */
  readonly onForm: () => void;
};

export function Looking({ loading, onForm }: Props) {
  return (
    <div class="looking step">
      {loading.isLate || loading.error !== undefined ? (
        <p class="lead">{texts.continuesSoon}</p>
      ) : (
        <Skeleton shape="lines" count={3} />
      )}
      <LoadNotice of={loading} />
      {loading.error !== undefined && (
        <Button kind="quiet" onClick={onForm}>
          {texts.title}
        </Button>
      )}
      <span class="visually-hidden" role="status">
        {texts.loading}
      </span>
    </div>
  );
}
