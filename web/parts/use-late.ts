// Whether a wait lasts longer than people wait without a word.
import { useEffect, useState } from 'preact/hooks';

const patienceMilliseconds = 4000;

export function useLate(isWaiting: boolean): boolean {
  const [isLate, setLate] = useState(false);
  useEffect(() => {
    if (!isWaiting) return;
    const timer = setTimeout(() => setLate(true), patienceMilliseconds);
    return () => {
      clearTimeout(timer);
      setLate(false);
    };
  }, [isWaiting]);
  return isLate;
}
