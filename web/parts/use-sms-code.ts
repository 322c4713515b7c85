// WebOTP: supported browsers ask the user once, and read the code from the SMS.
import { useEffect, useRef } from 'preact/hooks';

export function useSmsCode(isSms: boolean, onCode: (code: string) => void): void {
  const latest = useRef(onCode);
  latest.current = onCode;
  useEffect(() => {
    if (!isSms || !('OTPCredential' in window)) return;
    const leave = new AbortController();
    const options = { otp: { transport: ['sms'] }, signal: leave.signal } as CredentialRequestOptions;
    navigator.credentials.get(options).then(
      (credential) => {
        if (credential !== null && 'code' in credential) latest.current(String(credential.code));
      },
      // Declined, timed out or aborted: the user types the code.
      () => undefined,
    );
    return () => leave.abort();
  }, []);
}
