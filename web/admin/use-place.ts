// The current view of the admin page. It is stored after the # of the URL, so that back, forward and bookmarks work.
import { useEffect, useState } from 'preact/hooks';

const views = ['overview', 'users', 'look-up', 'spend', 'apps', 'service-keys', 'audit'] as const;

export type Place = { readonly view: (typeof views)[number] } | { readonly view: 'user'; id: string };

export function usePlace(): Place {
  const [place, setPlace] = useState(readPlace);
  useEffect(() => {
    const follow = () => {
      setPlace(readPlace());
      scrollTo(0, 0);
    };
    addEventListener('hashchange', follow);
    return () => removeEventListener('hashchange', follow);
  }, []);
  return place;
}

function readPlace(): Place {
  const [view = '', id = ''] = location.hash.slice(1).split('/');
  if (view === 'users' && id !== '') return { view: 'user', id };
  return { view: views.find((known) => known === view) ?? 'overview' };
}

export function hasToken(): boolean {
  return tokenIn(location.hash.slice(1)) !== undefined;
}

/** Returns the token of a sign-in link, and removes it from the URL and the history at once. */
export function takeToken(): string | undefined {
  const token = tokenIn(location.hash.slice(1));
  if (token !== undefined) history.replaceState(null, '', location.pathname);
  return token;
}

/** Finds the token in a sign-in link, or in a text that is only the token. */
export function tokenIn(text: string): string | undefined {
  return /(?:^|#)([\w-]{43})$/.exec(text.trim())?.[1];
}
