// Follows the files of the service secrets, so that a secret can be changed without a restart. What is wrong in them changes nothing.
import { judgeSecrets, rereadSecrets, type SecretPlaces, type SecretTexts } from '../config/reread-secrets.ts';
import type { LiveSecrets } from '../kernel/crypto/secrets.ts';
import type { Log } from '../kernel/process/telemetry.ts';

/** Two small files. A secret store may replace them by a link, which no watcher of a file sees. */
const pollMilliseconds = 1000;

/** Ends when the returned function is called. Only one thread of a process has a log: the others find the same. */
export function followSecrets(
  places: SecretPlaces,
  secrets: LiveSecrets,
  atStart: SecretTexts,
  log?: Pick<Log, 'info' | 'warn'>,
): () => void {
  let used = atStart;
  let reported = '';
  const check = () => {
    const found = rereadSecrets(places, used);
    if (found === undefined) return;
    const verdict = 'problem' in found ? found : judgeSecrets(used, found);
    if (typeof verdict === 'object') {
      if (verdict.problem !== reported) log?.warn('the secrets stay as they are', { cause: verdict.problem });
      reported = verdict.problem;
      return;
    }
    reported = '';
    if (verdict === 'same' || 'problem' in found) return;
    used = found;
    secrets.replace(found.secret, found.previousSecret);
    log?.info('secrets changed', { current: secrets.currentId, accepted: secrets.ids.join(' ') });
  };
  const timer = setInterval(check, pollMilliseconds);
  timer.unref();
  return () => clearInterval(timer);
}
