// Which drills a run takes: all, whole parts, or single drills by name.
import { type Drill, nameOf } from './drill.ts';

/** Throws if a word of the list fits no drill. */
export function choose(all: readonly Drill[], only: string | undefined): Drill[] {
  if (only === undefined) return [...all];
  const words = only.split(',').map((word) => word.trim());
  const fits = (word: string) => (drill: Drill) => drill.part === word || nameOf(drill) === word;
  const unknown = words.filter((word) => !all.some(fits(word)));
  if (unknown.length > 0) throw new Error(`no drill ${unknown.join(', ')}: npm run drills -- --list names them`);
  return all.filter((drill) => words.some((word) => fits(word)(drill)));
}
