// Which items of an AVIF, HEIC or HEIF are not stored: Exif, XMP and all that is no picture, and thumbnails with their parts.
import { type Heif, isPicture } from '../proofs/images/heif-items.ts';

/** Parts of parts of thumbnails. No real file has more levels. */
const maxLevels = 4;

export function findUnwanted({ items, references, primary }: Heif): Set<number> {
  const unwanted = new Set<number>();
  for (const [id, { type }] of items) if (!isPicture(type)) unwanted.add(id);
  // The pictures that a picture is made of, and those that an auxiliary picture belongs to.
  const madeInto = collect(
    references.filter(({ box }) => box.type === 'dimg').flatMap(({ from, to }) => to.map((id) => [id, [from]])),
  );
  const belongsTo = collect(references.filter(({ box }) => box.type === 'auxl').map(({ from, to }) => [from, to]));
  // A thumbnail can show a part of the picture that was cropped.
  for (const { box, from } of references)
    if (box.type === 'thmb' && items.has(from) && from !== primary && !madeInto.has(from)) unwanted.add(from);
  for (const id of madeInto.keys()) belongsTo.delete(id);
  for (let level = 0; level < maxLevels; level++) {
    for (const dependents of [madeInto, belongsTo]) {
      for (const [id, others] of dependents) {
        const isLeftOver =
          items.has(id) && id !== primary && others.length > 0 && others.every((other) => unwanted.has(other));
        if (isLeftOver) unwanted.add(id);
      }
    }
  }
  return unwanted;
}

function collect(entries: (readonly [id: number, others: readonly number[]])[]): Map<number, number[]> {
  const collected = new Map<number, number[]>();
  for (const [id, others] of entries) {
    const known = collected.get(id);
    if (known === undefined) collected.set(id, [...others]);
    else known.push(...others);
  }
  return collected;
}
