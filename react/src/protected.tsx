// Shows a part of the app to signed-in users only. It hides; what must stay secret belongs behind an API that checks the token.
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
};

export function Protected({ children, fallback = null, loading = null }: ProtectedProps) {
  const { status, user } = useGatehouse();
  if (status === 'loading') return loading;
  if (status === 'signed-out' || user === undefined) return fallback;
  return typeof children === 'function' ? children(user) : children;
}
