// Stops a process that npm or npx started when its parent exits. A shell between them may die without forwarding the signal.

const checkEveryMilliseconds = 200;

/** Call it before anything else. Until the service installs a handler for SIGTERM, the signal ends the process. */
export function stopWithParent() {
  const { npm_lifecycle_event: event, npm_package_name: name } = process.env;
  if (event === undefined || (event !== 'npx' && name !== 'gatehouse')) return;
  const parent = process.ppid;
  const timer = setInterval(() => {
    if (process.ppid === parent) return;
    clearInterval(timer);
    process.kill(process.pid, 'SIGTERM');
  }, checkEveryMilliseconds);
  timer.unref();
}
