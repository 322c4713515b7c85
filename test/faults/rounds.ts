// How much the fault tests do: little in every test run, as much as FAULT_ROUNDS says in the long one.
/** FAULT_ROUNDS=100 does a hundred times the work of the short form. */
export const factor = Math.max(1, Number(process.env.FAULT_ROUNDS ?? '1'));

/** Where chance begins: as FUZZ_SEED says, anywhere in the long form, always at the same place in the short one. */
export const seed = Number(process.env.FUZZ_SEED ?? (factor > 1 ? Math.floor(Math.random() * 1_000_000) : 1));

export function rounds(short: number): number {
  return Math.round(short * factor);
}

/** From this factor on no number is left out by `spread`. */
const everyFrom = 50;

/** Numbers from 1 on: every one up to a quarter of the factor, then with gaps that are the wider the less is to be done. */
export function* spread(): Generator<number, never> {
  const growth = factor >= everyFrom ? 1 : 1 + 4 / factor;
  for (let at = 1; ; at = Math.max(at + 1, Math.ceil(at * growth))) yield at;
}
