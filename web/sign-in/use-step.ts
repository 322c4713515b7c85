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
  | { readonly name: 'mailed'; readonly email: string; readonly resendAt: number };

export function useStep(): readonly [Step, (next: Step) => void] {
  const [step, setStep] = useState(() => readStep(history.state));
  useEffect(() => {
    const follow = ({ state }: PopStateEvent) => setStep(readStep(state));
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

/** Only this page writes the state. A link to `#email` opens the e-mail step. */
function readStep(state: unknown): Step {
  const first = location.hash === '#email' ? 'email' : 'phone';
  return (state as { readonly step?: Step } | null)?.step ?? { name: first };
}
