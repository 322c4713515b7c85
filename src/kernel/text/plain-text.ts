// Makes untrusted text safe: removes control characters before it is stored, or escapes them before it is shown.

/** One line of limited length. Control, direction, unassigned and surrogate characters become spaces. */
export function cleanLine(text: string, longest: number): string {
  return text
    .trim()
    .slice(0, longest)
    .replaceAll(/[\p{C}\u2028\u2029]+/gu, ' ')
    .trim();
}

/** For a table cell, or a value within a line. */
export function escapeControls(text: string): string {
  return text.replaceAll(/[\p{C}\u2028\u2029]/gu, writeOut);
}

/** For a text of several lines: keeps line breaks and tabs. */
export function escapeAllButLines(text: string): string {
  return text.replaceAll(/[^\P{C}\n\t]|[\u2028\u2029]/gu, writeOut);
}

/** Escapes as JSON does, so that JSON stays valid. */
function writeOut(character: string): string {
  let text = '';
  for (let at = 0; at < character.length; at++) text += `\\u${character.charCodeAt(at).toString(16).padStart(4, '0')}`;
  return text;
}
