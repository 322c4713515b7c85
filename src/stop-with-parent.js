// Ends a process that was started through npm or npx when they are gone: a shell between them may die of a signal without passing it on.

const lookEveryMilliseconds = 200;

/** Armed before anything else. Until the service handles the signal itself, it simply ends by it. */
export function stopWithParent() {
  const { npm_lifecycle_event: event, npm_package_name: name } = process.env;
  if (event === undefined || (event !== 'npx' && name !== 'gatehouse')) return;
  const parent = process.ppid;
  const timer = setInterval(() => {
    if (process.ppid === parent) return;
    clearInterval(timer);
    process.kill(process.pid, 'SIGTERM');
  }, lookEveryMilliseconds);
  timer.unref();
}
