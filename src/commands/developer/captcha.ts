// The command `captcha`: fetches a challenge from a running service, solves it and prints the token to send.
import type { Command } from '../declarations.ts';
import { fetchCaptchaToken } from './solve-captcha.ts';

export const captcha: Command<'captcha'> = async (context, { url }) => {
  const token = await fetchCaptchaToken(url);
  context.show({ token }, token);
  return 0;
};
