// The table of looks: every page in every state that people see. The pictures are taken from it, and the tests of the look judge it.
import { accountLooks } from './account-looks.ts';
import { adminLooks } from './admin-looks.ts';
import type { Look } from './look.ts';
import { pageLooks } from './page-looks.ts';
import { signInLooks } from './sign-in-looks.ts';

export const looks: readonly Look[] = [...signInLooks, ...accountLooks, ...pageLooks, ...adminLooks];
