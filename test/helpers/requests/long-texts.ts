// Long runs of every kind of character, alone and between others, and the time that a parser may need for them.
import assert from 'node:assert/strict';

/** Almost the largest head that Node accepts. */
const length = 15 * 1024;
/** Processor time of this thread, however busy the machine is. Quadratic growth takes a quarter of a second and more. */
const mostMilliseconds = 25;
const mostTries = 6;

export const runs: readonly string[] = [
  ...[
    ' ',
    '\t',
    ',',
    ';',
    '"',
    '\\',
    '=',
    'a',
    '7',
    'Zm9v',
    '%',
    '.',
    ':',
    '/',
    '-',
    '[',
    ']',
    '@',
    '\u00e9',
    '\u00a0',
  ],
];

export const mixedRuns: readonly string[] = [
  ...['%41', '%E2%', 'A1_-', '[]', '(', '<', '+', '&', '#', '?', '\u200e', 'a.', ', ', '; ', ' ;', '"a', '""', '\\"'],
  ...['a@', 'a@a.', 'a=b;', 'a="', '+1', '1-,', '1.', '::', '10.0.0.1,', 'en;q=0.1,', 'charset=', 'W/"', 'sha-256=:'],
];

const places = {
  alone: (run: string) => run,
  before: (run: string) => `${run}x`,
  behind: (run: string) => `x${run}`,
  between: (run: string) => `x${run}x`,
};

type Place = keyof typeof places;

/** Each run alone, before, after and between other characters. */
export function longTexts(
  wanted: readonly string[],
  where: readonly Place[] = ['alone', 'before', 'behind', 'between'],
): string[] {
  return wanted.flatMap((run) => {
    const long = run.repeat(Math.ceil(length / run.length));
    return where.map((place) => places[place](long));
  });
}

/** Fails for the first text that takes longer than any honest text. */
export async function checkTimes(
  name: string,
  texts: readonly string[],
  act: (text: string) => unknown,
): Promise<void> {
  for (const text of texts) {
    const took = await quickest(() => act(text));
    const shown = JSON.stringify(text.slice(0, 12));
    assert.ok(took < mostMilliseconds, `${name}: ${shown}… of ${text.length} took ${took.toFixed(1)} ms`);
  }
}

/** In milliseconds. Only a slow text is tried again. */
async function quickest(act: () => unknown): Promise<number> {
  let best = Number.POSITIVE_INFINITY;
  for (let tries = 0; tries < mostTries && best >= mostMilliseconds; tries += 1) {
    const begin = process.threadCpuUsage();
    try {
      await act();
    } catch {
      // A refusal is right. Only the time counts here.
    }
    const { user, system } = process.threadCpuUsage(begin);
    best = Math.min(best, (user + system) / 1000);
  }
  return best;
}
