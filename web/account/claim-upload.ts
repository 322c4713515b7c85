// Lets one tab of the browser alone send an upload. Another tab waits, and takes it over if the first one is closed.

/** Resolves when this tab has the upload, with the function that gives it back. */
export function claimUpload(key: string): Promise<() => void> {
  // Insecure contexts have no locks: there the idempotency key alone prevents a second file.
  if (!('locks' in navigator)) return Promise.resolve(() => undefined);
  return new Promise((claimed, failed) => {
    const hold = () => new Promise<void>((giveBack) => claimed(() => giveBack()));
    navigator.locks.request(`gatehouse-upload ${key}`, hold).catch(failed);
  });
}
