// Guesses for which purpose a file is meant, by its name, type and size: a picture is a picture, not a profile picture that all users see.
import { findFault, type Purpose } from '../../client/src/find-fault.ts';

type Chosen = { readonly name: string; readonly size: number; readonly type: string };

/** Undefined if no purpose accepts the file, or only one whose files more people can see: the user must choose that one. */
export function guessPurpose(file: Chosen, purposes: readonly Purpose[]): Purpose | undefined {
  const [best] = purposes
    .filter((purpose) => purpose.readableBy !== 'signed-in' && findFault(file, purpose) === undefined)
    .map((purpose, place) => ({ purpose, rank: [howClose(file, purpose), purpose.types.length, place] as const }))
    .sort((one, other) => compare(one.rank, other.rank));
  return best?.purpose;
}

/** The purposes that a user may choose for a file. */
export function findFitting(file: Chosen, purposes: readonly Purpose[]): readonly Purpose[] {
  return purposes.filter((purpose) => findFault(file, purpose) === undefined);
}

/** The ending of the name says most: systems call a sound `video/mp4`. */
function howClose({ name, type }: Chosen, { extensions, types }: Purpose): number {
  if (extensions.some((ending) => name.toLowerCase().endsWith(`.${ending}`))) return 0;
  return types.includes(type.split(';')[0]?.trim().toLowerCase() ?? '') ? 1 : 2;
}

function compare(one: readonly number[], other: readonly number[]): number {
  const differences = one.map((value, place) => value - (other[place] ?? 0));
  return differences.find((difference) => difference !== 0) ?? 0;
}
