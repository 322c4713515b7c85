// The sign-in form: the element <gatehouse-sign-in> with the client of the provider. On a server it renders an empty element.
import type { GatehouseSignIn, SignInEvents, SignInFault } from '@gatehouse/client/element';
import { type CSSProperties, createElement, type ReactNode, useCallback, useEffect, useRef } from 'react';
import { useGatehouse } from './use-gatehouse.ts';

export type SignInProps = {
  /** Default: both on the service's own origin, otherwise the phone alone. */
  readonly methods?: readonly ('phone' | 'email')[] | undefined;
  /** Default: the language of the page. */
  readonly lang?: string | undefined;
  /** The country that is chosen at first, such as `DE`. Default: that of the browser's language. */
  readonly country?: string | undefined;
  readonly autoFocus?: boolean | undefined;
  readonly className?: string | undefined;
  /** For custom properties too: `{ '--gatehouse-accent': 'teal' }`. */
  readonly style?: (CSSProperties & Readonly<Record<`--gatehouse-${string}`, string>>) | undefined;
  readonly onSignedIn?: ((event: SignInEvents['gatehouse-signed-in']) => void) | undefined;
  readonly onError?: ((fault: SignInFault) => void) | undefined;
  /** Nodes with `slot="title"`, `slot="footer"` or `slot="signed-in"`. */
  readonly children?: ReactNode;
};

const notLoaded: SignInFault = {
  code: 'NETWORK',
  message: 'The sign-in form could not be loaded.',
  status: 0,
  retryAfterSeconds: undefined,
  step: 'start',
};

export function SignIn(props: SignInProps) {
  const { methods, lang, country, autoFocus = false, className, style, children } = props;
  const { client } = useGatehouse();
  const element = useRef<GatehouseSignIn>(null);
  const latest = useRef(props);
  useEffect(() => {
    latest.current = props;
  });
  const attach = useCallback(
    (node: GatehouseSignIn | null) => {
      element.current = node;
      if (node !== null) node.client = client;
    },
    [client],
  );
  useEffect(() => {
    const node = element.current;
    if (node === null) return;
    const left = new AbortController();
    const { signal } = left;
    node.addEventListener('gatehouse-signed-in', ({ detail }) => latest.current.onSignedIn?.(detail), { signal });
    node.addEventListener('gatehouse-error', ({ detail }) => latest.current.onError?.(detail), { signal });
    // Only browsers know elements, so a server does not load it.
    import('@gatehouse/client/element').catch(() => latest.current.onError?.(notLoaded));
    return () => left.abort();
  }, []);
  const attributes = {
    ...(methods !== undefined && { methods: methods.join(' ') }),
    ...(lang !== undefined && { lang }),
    ...(country !== undefined && { country }),
    ...(autoFocus && { autofocus: '' }),
    ...(className !== undefined && { class: className }),
    ...(style !== undefined && { style }),
  };
  return createElement('gatehouse-sign-in', { ...attributes, ref: attach }, children);
}
