// The amount of work of the fault tests: little in every test run, and as much as FAULT_ROUNDS says in the long form.
/** FAULT_ROUNDS=100 does a hundred times the work of the short form. */
export const factor = Math.max(1, Number(process.env.FAULT_ROUNDS ?? '1'));

/**
 * The random seed: FUZZ_SEED, or a random one in the long form, or always the same in the short form. The slow
 * tier with FUZZ_SEED=new chooses another one and prints it.
 */
export const seed = Number(process.env.FUZZ_SEED ?? (factor > 1 ? Math.floor(Math.random() * 1_000_000) : 1));

export function rounds(short: number): number {
  return Math.round(short * factor);
}

/** From this factor on, `spread` yields every number. */
const everyFrom = 50;

/** Numbers from 1: every one up to a quarter of the factor, then with gaps, which are wider for a smaller factor. */
export function* spread(): Generator<number, never> {
  const growth = factor >= everyFrom ? 1 : 1 + 4 / factor;
  for (let at = 1; ; at = Math.max(at + 1, Math.ceil(at * growth))) yield at;
}
