// Finds the examples: each is a folder with a start.ts and a README whose heading says what it is.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const folder = join(import.meta.dirname, '..');

export type Example = { readonly name: string; readonly title: string };

export function listExamples(): readonly Example[] {
  return readdirSync(folder)
    .filter((name) => existsSync(join(folder, name, 'start.ts')))
    .toSorted()
    .map((name) => ({ name, title: titleOf(readFileSync(join(folder, name, 'README.md'), 'utf8')) }));
}

function titleOf(readme: string): string {
  return /^# (.+)$/m.exec(readme)?.[1] ?? '';
}
