// Shows a part of the app to signed-in users only. It hides; what must stay secret belongs behind an API that checks the token.
import type { GatehouseError } from '@gatehouse/client';
import type { ReactNode } from 'react';
import type { User } from './session.ts';
import { useGatehouse } from './use-gatehouse.ts';

export type ProtectedProps = {
  /** Either nodes, or a function of the user. */
  readonly children: ReactNode | ((user: User) => ReactNode);
  /** What others see, for example `<SignIn />`. */
  readonly fallback?: ReactNode;
  /** What is seen until it is known who is signed in. */
  readonly loading?: ReactNode;
  /** What is seen if that cannot be found out now. By default the message of the error and a button that tries again. */
  readonly failed?: ReactNode | ((error: GatehouseError | undefined, retry: () => void) => ReactNode);
};

export function Protected({ children, fallback = null, loading = null, failed = showFailure }: ProtectedProps) {
  const { status, user, error, reload } = useGatehouse();
  if (status === 'loading') return loading;
  if (status === 'failed') return typeof failed === 'function' ? failed(error, () => void reload()) : failed;
  if (status === 'signed-out' || user === undefined) return fallback;
  return typeof children === 'function' ? children(user) : children;
}

function showFailure(error: GatehouseError | undefined, retry: () => void): ReactNode {
  return (
    <div role="alert">
      <p>{error?.message}</p>
      <button type="button" onClick={retry}>
        Try again
      </button>
    </div>
  );
}
