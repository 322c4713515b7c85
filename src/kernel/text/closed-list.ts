// Helpers for closed unions of strings: list their members, parse stored text into a member, and check that all are handled.

/** The members of a union as a list. A missing member does not compile. */
export function listOf<Word extends string>(words: Readonly<Record<Word, true>>): readonly Word[] {
  return Object.keys(words) as Word[];
}

/** The matching word, or undefined for a text that a later version may have written. */
export function findWord<Word extends string>(words: readonly Word[], text: string): Word | undefined {
  return words.find((word) => word === text);
}

/** The matching word. Throws for any other text; `what` names the source of the text in the error. */
export function readWord<Word extends string>(words: readonly Word[], text: string, what: string): Word {
  const word = findWord(words, text);
  if (word === undefined) throw new Error(`${what} holds ${JSON.stringify(text)}, not one of: ${words.join(', ')}`);
  return word;
}

/** Call it after every member of a union has been handled. A new member does not compile there. */
export function unreachable(value: never): never {
  throw new Error(`not handled: ${JSON.stringify(value)}`);
}
