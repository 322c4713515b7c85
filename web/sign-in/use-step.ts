// Stores the current sign-in step in the browser history, so that the back button and a reload work.
import { useEffect, useState } from 'preact/hooks';

export type CodeWanted = {
  readonly phone: string;
  /** The newest message in the local inbox before the code was requested. */
  readonly newestBefore: string | undefined;
  /** When the code can be requested again, in milliseconds since 1970. */
  readonly resendAt: number;
};

export type Step =
  | { readonly name: 'phone' | 'email' }
  | ({ readonly name: 'code' } & CodeWanted)
  /** Nobody has used the account of this number for a long time. The ticket starts a new account. */
  | { readonly name: 'recycled'; readonly phone: string; readonly ticket: string }
  | { readonly name: 'mailed'; readonly email: string; readonly resendAt: number };

/** `first`: the step to begin with. A link to `#email` opens the e-mail step. */
export function useStep(first: 'phone' | 'email'): readonly [Step, (next: Step) => void] {
  const [step, setStep] = useState(() => readStep(history.state, first));
  useEffect(() => {
    const follow = ({ state }: PopStateEvent) => setStep(readStep(state, first));
    addEventListener('popstate', follow);
    return () => removeEventListener('popstate', follow);
  }, []);
  const go = (next: Step) => {
    // The plain URL starts from the first step.
    const start = location.pathname + location.search;
    history.pushState({ step: next }, '', next.name === 'phone' ? start : `#${next.name}`);
    setStep(next);
  };
  return [step, go];
}

/** Only this page writes the state. */
function readStep(state: unknown, first: 'phone' | 'email'): Step {
  const name = location.hash === '#email' ? 'email' : first;
  return (state as { readonly step?: Step } | null)?.step ?? { name };
}
