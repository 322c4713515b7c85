// Composition: asks what the process that makes variants can do here.
import { createVariantMaker } from '../adapters/variants/create-variant-maker.ts';
import type { Ability } from '../adapters/variants/resize-picture.ts';
import type { BrokenResizer } from '../adapters/variants/resizer.ts';
import type { Log } from '../kernel/process/telemetry.ts';

const silent = () => undefined;
const noLog: Log = { debug: silent, info: silent, warn: silent, error: silent };

/** Undefined if sharp is not installed. */
export async function probeVariants(): Promise<Ability | BrokenResizer | undefined> {
  const maker = createVariantMaker(noLog);
  try {
    return await maker.probe();
  } finally {
    await maker.stop();
  }
}
