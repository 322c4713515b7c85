// Creates the secret of an app, and says what to do after a change of the file of apps.
import { randomText } from '../../kernel/crypto/random.ts';
import type { OperatorContext } from '../operator-context.ts';

export function newSecret(): string {
  return `gas_${randomText(32)}`;
}

/** The secret alone goes to stdout, so that it can be piped. */
export function showChange(
  context: OperatorContext,
  { id, secret, file, done }: { id: string; secret: string | undefined; file: string; done: string },
): void {
  context.show({ id, ...(secret !== undefined && { secret }), file }, secret ?? '');
  context.say(`${done} Restart the service: it reads ${file} when it starts.`);
  if (secret !== undefined)
    context.say('The secret is shown once: store it where only the server of the app can read it.');
}
