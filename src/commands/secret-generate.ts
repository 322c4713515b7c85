// The command `secret generate`: prints a new secret, fit for SECRET.
import { makeSecret } from '../config/service-secret.ts';
import type { Verb } from './desk.ts';

export const secretGenerate: Verb = async (desk) => {
  const secret = makeSecret();
  desk.show({ secret }, secret);
  return 0;
};
