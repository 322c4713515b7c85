// The command `sample curl`: prints the shell script of docs/start.md that makes the main calls.
import { existsSync, readFileSync } from 'node:fs';
import { projectFile } from '../../kernel/process/program-files.ts';
import { CommandError } from '../command-error.ts';
import type { Command } from '../declarations.ts';

const guide = projectFile('docs/start.md');

export const sampleCurl: Command<'sample curl'> = async (context, { url }) => {
  const base = (url ?? context.config().publicUrl).replace(/(?<!\/)\/+$/, '');
  if (!URL.canParse(base)) throw new CommandError('--url takes a URL such as http://localhost:8080.', 2);
  const walk = /<!-- walk: begin -->\n```sh\n(.*?)```\n<!-- walk: end -->/s.exec(readGuide())?.[1];
  if (walk === undefined) throw new CommandError('This installation has no docs/start.md with the sample script.');
  const script = walk.replace(/^BASE=.*$/m, `BASE=${base}`);
  context.show({ script }, script.trimEnd());
  context.say(
    'The script reads codes from the inbox of local mode. Where the service asks for a captcha, gatehouse captcha prints a token.',
  );
  return 0;
};

/** An installation may have been copied without its documents. */
function readGuide(): string {
  return existsSync(guide) ? readFileSync(guide, 'utf8') : '';
}
