// The progress of the captcha, for components that show that the user has to wait.
import { useEffect, useState } from 'preact/hooks';

const listeners = new Set<(progress: number) => void>();

export function reportCaptchaProgress(progress: number): void {
  for (const listener of listeners) listener(progress);
}

/** From 0 to 1. Undefined if no captcha has been solved yet. */
export function useCaptchaProgress(): number | undefined {
  const [progress, setProgress] = useState<number | undefined>();
  useEffect(() => {
    listeners.add(setProgress);
    return () => void listeners.delete(setProgress);
  }, []);
  return progress;
}
