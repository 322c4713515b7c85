// Late repeats: a session remembers which rotations gave their successor again after the grace period, and may need only a few a day.

/** A rotation whose successor was given again after the grace period. The time of a rotation distinguishes it from all others of its session. */
export type LateRepeat = { readonly rotatedAt: number; readonly repeatedAt: number };

/** At most this many different rotations within the window. With one more, the token must have been copied. */
const mostLateRepeats = 3;
const lateRepeatWindow = 86_400_000;

/** What to remember if this rotation is repeated now. Undefined if that is one too many. A rotation counts once, however often it is repeated. */
export function countLateRepeat(
  known: readonly LateRepeat[],
  { rotatedAt, now }: { rotatedAt: number; now: number },
): readonly LateRepeat[] | undefined {
  if (known.some((one) => one.rotatedAt === rotatedAt)) return known;
  const recent = known.filter(({ repeatedAt }) => repeatedAt > now - lateRepeatWindow);
  return recent.length < mostLateRepeats ? [...recent, { rotatedAt, repeatedAt: now }] : undefined;
}

export function writeLateRepeats(repeats: readonly LateRepeat[]): string | null {
  return repeats.length === 0 ? null : repeats.map((one) => `${one.rotatedAt}:${one.repeatedAt}`).join(' ');
}

export function readLateRepeats(text: string | null): LateRepeat[] {
  return (text?.split(' ') ?? []).map((word) => {
    const [rotatedAt, repeatedAt] = word.split(':').map(Number);
    return { rotatedAt: rotatedAt ?? 0, repeatedAt: repeatedAt ?? 0 };
  });
}
