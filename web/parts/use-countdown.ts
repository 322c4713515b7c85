// Counts down seconds, for actions that the user can repeat only after a while.
import { useEffect, useState } from 'preact/hooks';

/** It runs from the first moment on, so that no action is open until it starts. */
export function useCountdown(first: number): {
  readonly secondsLeft: number;
  readonly start: (seconds: number) => void;
} {
  const [now, setNow] = useState(() => performance.now());
  const [end, setEnd] = useState(now + first * 1000);
  const secondsLeft = Math.max(0, Math.ceil((end - now) / 1000));
  const isRunning = secondsLeft > 0;
  useEffect(() => {
    if (!isRunning) return;
    const timer = setInterval(() => setNow(performance.now()), 250);
    return () => clearInterval(timer);
  }, [isRunning]);
  const start = (seconds: number) => {
    const startedAt = performance.now();
    setNow(startedAt);
    setEnd(startedAt + seconds * 1000);
  };
  return { secondsLeft, start };
}
