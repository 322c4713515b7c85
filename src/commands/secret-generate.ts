// The command `secret generate`: prints a new secret, fit for SECRET.
import { makeSecret } from '../config/service-secret.ts';
import type { Verb } from './operator-context.ts';

export const secretGenerate: Verb = async (context) => {
  const secret = makeSecret();
  context.show({ secret }, secret);
  return 0;
};
