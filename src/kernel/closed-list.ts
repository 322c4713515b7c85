// Closed lists of words: a union that must be handled everywhere, and the way back from a text of the store.

/** The words of a union as a list. A word that is left out does not compile. */
export function listOf<Word extends string>(words: Readonly<Record<Word, true>>): readonly Word[] {
  return Object.keys(words) as Word[];
}

/** One of the words, or undefined for a text that a later version may have written. */
export function findWord<Word extends string>(words: readonly Word[], text: string): Word | undefined {
  return words.find((word) => word === text);
}

/** One of the words. Throws on any other text; `what` names the place for the log. */
export function readWord<Word extends string>(words: readonly Word[], text: string, what: string): Word {
  const word = findWord(words, text);
  if (word === undefined) throw new Error(`${what} holds ${JSON.stringify(text)}, not one of: ${words.join(', ')}`);
  return word;
}

/** Stands where every member of a union has been handled. A new member does not compile here. */
export function unreachable(value: never): never {
  throw new Error(`not handled: ${JSON.stringify(value)}`);
}
