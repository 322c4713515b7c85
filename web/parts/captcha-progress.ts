// How far the captcha is solved, for whatever shows that somebody has to wait.
import { useEffect, useState } from 'preact/hooks';

const listeners = new Set<(share: number) => void>();

export function tellCaptchaProgress(share: number): void {
  for (const listener of listeners) listener(share);
}

/** Undefined while nothing is solved. */
export function useCaptchaProgress(): number | undefined {
  const [share, setShare] = useState<number | undefined>();
  useEffect(() => {
    listeners.add(setShare);
    return () => void listeners.delete(setShare);
  }, []);
  return share;
}
