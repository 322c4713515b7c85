// Text of strangers made harmless: for keeping, without control characters; for showing, with each of them written out.

/** One line, bounded. Controls, directions, unassigned and half characters become spaces. */
export function cleanLine(text: string, longest: number): string {
  return text
    .trim()
    .slice(0, longest)
    .replaceAll(/[\p{C}\u2028\u2029]+/gu, ' ')
    .trim();
}

/** For a cell of a table, or a value in a line. */
export function escapeControls(text: string): string {
  return text.replaceAll(/[\p{C}\u2028\u2029]/gu, writeOut);
}

/** For a whole text: line breaks and tabs are its own. */
export function escapeAllButLines(text: string): string {
  return text.replaceAll(/[^\P{C}\n\t]|[\u2028\u2029]/gu, writeOut);
}

/** As JSON writes it, so that JSON stays JSON. */
function writeOut(character: string): string {
  let text = '';
  for (let at = 0; at < character.length; at++) text += `\\u${character.charCodeAt(at).toString(16).padStart(4, '0')}`;
  return text;
}
