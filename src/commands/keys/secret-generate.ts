// The command `secret generate`: prints a new secret for SECRET.
import { makeSecret } from '../../config/service-secret.ts';
import type { Command } from '../declarations.ts';

export const secretGenerate: Command<'secret generate'> = async (context) => {
  const secret = makeSecret();
  context.show({ secret }, secret);
  return 0;
};
