// Reports what is wrong in a file of the operator: the place in the file, the trouble, and what to write instead.
import { escapeControls } from '../kernel/text/plain-text.ts';

export type BrandProblem = { readonly path: string; readonly trouble: string; readonly cure: string };

export type Report = (path: string, trouble: string, cure: string) => void;

/** More would not help the operator. */
const mostFields = 200;

/** The fields of an object. Reports a value that is no object. Names are safe to print. */
export function listFields(value: unknown, path: string, report: Report): readonly (readonly [string, unknown])[] {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    report(path, 'is not an object', 'write { … }');
    return [];
  }
  return Object.entries(value)
    .slice(0, mostFields)
    .map(([key, field]) => [escapeControls(key.slice(0, 60)), field] as const);
}

/** Names the field that was meant, else all of them. */
export function suggest(given: string, known: readonly string[]): string {
  const plain = (text: string) =>
    text
      .toLowerCase()
      .replaceAll(/[^a-z]/g, '')
      .replace(/s$/, '')
      .replace('colour', 'color');
  const meant = known.find((name) => plain(name) === plain(given));
  return meant === undefined ? `remove it, or write one of ${known.join(', ')}` : `write ${meant}`;
}
