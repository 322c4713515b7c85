// The command `sample curl`: prints the shell script of the README that makes the main calls.
import { readFileSync } from 'node:fs';
import { projectFile } from '../../kernel/program-files.ts';
import { CommandError } from '../command-error.ts';
import type { Command } from '../declarations.ts';

const readme = projectFile('README.md');

export const sampleCurl: Command<'sample curl'> = async (context, { url }) => {
  const base = (url ?? context.config().publicUrl).replace(/(?<!\/)\/+$/, '');
  if (!URL.canParse(base)) throw new CommandError('--url takes a URL such as http://localhost:8080.', 2);
  const walk = /<!-- walk: begin -->\n```sh\n(.*?)```\n<!-- walk: end -->/s.exec(readFileSync(readme, 'utf8'))?.[1];
  if (walk === undefined) throw new CommandError('The README of this installation contains no sample script.');
  const script = walk.replace(/^BASE=.*$/m, `BASE=${base}`);
  context.show({ script }, script.trimEnd());
  context.say(
    'The script reads codes from the inbox of local mode. Where the service asks for a captcha, gatehouse captcha prints a token.',
  );
  return 0;
};
