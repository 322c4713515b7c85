// What the service gives that outlives or outranks what the call has sent: what each needs, how long it lives, and what ends it.
// docs/security.md shows the table without the tests. test/project/grants.test.ts compares it with the routes, the commands, the messages and the store.
import { appGrants } from './app-grants.ts';
import type { Grant } from './grant.ts';
import { otherGrants } from './other-grants.ts';
import { signInGrants } from './sign-in-grants.ts';
import { wayInGrants } from './way-in-grants.ts';

export const grants = { ...wayInGrants, ...signInGrants, ...appGrants, ...otherGrants };

export type GrantName = keyof typeof grants;

/** The rows of the table in docs/security.md. */
export function writeGrants(): string {
  const rows = Object.entries<Grant>(grants).map(([name, { id, by, needs, lives, ends, gap = '' }]) => {
    const given = Object.entries(by).map(([call, fields]) => {
      const what = fields.length === 0 ? '' : `: ${fields.join(', ')}`;
      return call.startsWith('message ') ? call : `\`${call}\`${what}`;
    });
    return `| ${id} | ${name} | ${given.join('<br>')} | ${needs} | ${lives} | ${Object.keys(ends).join('; ')} | ${gap} |`;
  });
  return [
    '| id | what | given by | needs | lives | ends with | not closed |',
    '|---|---|---|---|---|---|---|',
    ...rows,
  ].join('\n');
}

/** The tests of each row, as test/promises.json names them: by file, then by title. */
export function testsOfGrants(): Record<string, Record<string, (string | { title: string; case: string })[]>> {
  return Object.fromEntries(
    Object.values<Grant>(grants).map(({ id, ends, held = [] }) => {
      const files: Record<string, (string | { title: string; case: string })[]> = {};
      for (const [file, title, name] of [...Object.values(ends), ...held]) {
        files[file] ??= [];
        const list = files[file];
        const isListed = list.some((one) => (typeof one === 'string' ? one === title : one.case === name));
        if (!isListed) list.push(name === undefined ? title : { title, case: name });
      }
      return [id, files];
    }),
  );
}
