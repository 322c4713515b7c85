// The command `sample curl`: prints the README's walk through every call, ready to be pasted or piped into a shell.
import { readFileSync } from 'node:fs';
import { projectFile } from '../kernel/program-files.ts';
import { CommandError } from './command-error.ts';
import type { Verb } from './operator-context.ts';

const readme = projectFile('README.md');

export const sampleCurl: Verb = async (context, _, { url }) => {
  const base = (url ?? context.config().publicUrl).replace(/(?<!\/)\/+$/, '');
  if (!URL.canParse(base)) throw new CommandError('--url takes an address such as http://localhost:8080', 2);
  const walk = /<!-- walk: begin -->\n```sh\n(.*?)```\n<!-- walk: end -->/s.exec(readFileSync(readme, 'utf8'))?.[1];
  if (walk === undefined) throw new CommandError('The README of this installation has no walk.');
  const script = walk.replace(/^BASE=.*$/m, `BASE=${base}`);
  context.show({ script }, script.trimEnd());
  context.say(
    'The walk reads codes from the inbox of local mode; gatehouse captcha gives a token where one is asked for.',
  );
  return 0;
};
