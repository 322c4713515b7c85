// The kept corpus: for each target one file of inputs in base64, a line each, and one binary file for each fault that was found.
import { existsSync, globSync, readFileSync, writeFileSync } from 'node:fs';
import { basename } from 'node:path';

const folder = new URL('../fixtures/fuzz/', import.meta.url);
/** Of the targets in media/test/fuzz. */
const mediaFolder = new URL('../../media/test/fixtures/fuzz/', import.meta.url);

/** The fewest inputs that reach every branch that was ever reached. */
export function readCorpus(target: string): Buffer[] {
  const file = corpusFile(target);
  if (!existsSync(file)) return [];
  return readFileSync(file, 'latin1')
    .split('\n')
    .slice(0, -1)
    .map((line) => Buffer.from(line, 'base64'));
}

export function writeCorpus(target: string, inputs: readonly Buffer[]): void {
  writeFileSync(corpusFile(target), inputs.map((input) => `${input.toString('base64')}\n`).join(''));
}

function corpusFile(target: string): URL {
  return new URL(`${target}.base64`, /^(?:prove|strip)-/.test(target) ? mediaFolder : folder);
}

type Found = { readonly target: string; readonly name: string; readonly input: Buffer };

/** `found/TARGET.WHAT-IT-WAS` */
export function readFound(): Found[] {
  return [folder, mediaFolder].flatMap((cwd) =>
    globSync('found/*', { cwd }).map((path) => {
      const [target = '', name = ''] = basename(path).split('.');
      return { target, name, input: readFileSync(new URL(path, cwd)) };
    }),
  );
}
