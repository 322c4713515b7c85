// The command `sample curl`: prints the README's walk through every call, ready to be pasted or piped into a shell.
import { readFileSync } from 'node:fs';
import { projectFile } from '../kernel/program-files.ts';
import type { Verb } from './desk.ts';
import { Trouble } from './trouble.ts';

const readme = projectFile('README.md');

export const sampleCurl: Verb = async (desk, _, { url }) => {
  const base = (url ?? desk.config().publicUrl).replace(/(?<!\/)\/+$/, '');
  if (!URL.canParse(base)) throw new Trouble('--url takes an address such as http://localhost:8080', 2);
  const walk = /<!-- walk: begin -->\n```sh\n(.*?)```\n<!-- walk: end -->/s.exec(readFileSync(readme, 'utf8'))?.[1];
  if (walk === undefined) throw new Trouble('The README of this installation has no walk.');
  const script = walk.replace(/^BASE=.*$/m, `BASE=${base}`);
  desk.show({ script }, script.trimEnd());
  desk.say(
    'The walk reads codes from the inbox of local mode; gatehouse captcha gives a token where one is asked for.',
  );
  return 0;
};
