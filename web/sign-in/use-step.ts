// The step of signing in lives in the browser's history: the back button goes one step back, and a reload loses nothing.
import { useEffect, useState } from 'preact/hooks';

export type CodeWanted = {
  readonly phone: string;
  /** What was newest in the local inbox before the code was asked for. */
  readonly newestBefore: string | undefined;
  /** When the code may be asked for again, in milliseconds since 1970. */
  readonly resendAt: number;
};

export type Step =
  | { readonly name: 'phone' | 'email' }
  | ({ readonly name: 'code' } & CodeWanted)
  | { readonly name: 'mailed'; readonly email: string; readonly resendAt: number };

export function useStep(): readonly [Step, (next: Step) => void] {
  const [step, setStep] = useState(() => readStep(history.state));
  useEffect(() => {
    const follow = ({ state }: PopStateEvent) => setStep(readStep(state));
    addEventListener('popstate', follow);
    return () => removeEventListener('popstate', follow);
  }, []);
  const go = (next: Step) => {
    // The plain address begins anew.
    const start = location.pathname + location.search;
    history.pushState({ step: next }, '', next.name === 'phone' ? start : `#${next.name}`);
    setStep(next);
  };
  return [step, go];
}

/** Only this page writes there. Whoever wants a new link comes with `#email`. */
function readStep(state: unknown): Step {
  const first = location.hash === '#email' ? 'email' : 'phone';
  return (state as { readonly step?: Step } | null)?.step ?? { name: first };
}
