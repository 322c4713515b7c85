// The phone numbers of newcomers, spread over countries and prefixes, and users with an e-mail address that are imported before a drill.
import { writeFileSync } from 'node:fs';

export type People = { readonly file: string; nextPhone(): string; nextAddress(): string };

/** Mobile prefixes and the number of digits after them. The numbers of a country stay below its daily limit. */
const prefixes = [
  ['+491511', 7],
  ['+336', 8],
  ['+3461', 7],
  ['+39347', 7],
  ['+447400', 6],
  ['+48501', 6],
  ['+3161', 7],
  ['+4670', 7],
  ['+43664', 7],
  ['+4179', 7],
] as const;
/** Two numbers of a prefix that follow each other differ in more than their last four digits. */
const step = 10_007;
const users = 3000;

export function writePeople(file: string): People {
  const lines = Array.from({ length: users }, (_, index) =>
    JSON.stringify({
      phone: `+1202${2_000_000 + index * 211}`,
      email: `user${index}@drills.example`,
      emailVerified: true,
    }),
  );
  writeFileSync(file, `${lines.join('\n')}\n`);
  let phones = 0;
  let addresses = 0;
  return {
    file,
    nextPhone: () => {
      phones += 1;
      const [prefix, digits] = prefixes[phones % prefixes.length] ?? prefixes[0];
      return `${prefix}${String((phones * step) % 10 ** digits).padStart(digits, '0')}`;
    },
    nextAddress: () => {
      addresses += 1;
      return `user${addresses % users}@drills.example`;
    },
  };
}
