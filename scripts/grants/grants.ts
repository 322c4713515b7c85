// What the service gives that outlives or outranks what it was asked with: what each needs, how long it lives, and what ends it.
// docs/security.md shows the table. test/project/grants.test.ts compares it with the routes, the commands, the messages and the store.
import { appGrants } from './app-grants.ts';
import type { Grant } from './grant.ts';
import { otherGrants } from './other-grants.ts';
import { signInGrants } from './sign-in-grants.ts';
import { wayInGrants } from './way-in-grants.ts';

export const grants = { ...wayInGrants, ...signInGrants, ...appGrants, ...otherGrants };

export type GrantName = keyof typeof grants;

/** The rows of the table in docs/security.md. */
export function writeGrants(): string {
  const rows = Object.entries<Grant>(grants).map(([name, { by, needs, lives, ends, held = [], gap = '' }]) => {
    const given = Object.entries(by).map(([call, fields]) => {
      const what = fields.length === 0 ? '' : `: ${fields.join(', ')}`;
      return call.startsWith('message ') ? call : `\`${call}\`${what}`;
    });
    const needed = [needs, ...held.map(test)].join('<br>');
    const ended = Object.entries(ends).map(([how, by]) => `${how}: ${test(by)}`);
    return `| ${name} | ${given.join('<br>')} | ${needed} | ${lives} | ${ended.join('<br>')} | ${gap} |`;
  });
  return ['| what | given by | needs | lives | ends with | not closed |', '|---|---|---|---|---|---|', ...rows].join(
    '\n',
  );
}

function test([file, title]: readonly [string, string]): string {
  return `\`${file}\` “${title}”`;
}
