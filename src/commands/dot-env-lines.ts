// Finds the lines of a file .env that set nothing.

/** Finds lines of .env that are neither a setting nor a comment. A value in quotes may have several lines. */
export function warnOfFile(text: string): string[] {
  const plain = text.replaceAll(
    /(=[ \t]*)("[^"]*"|'[^']*'|`[^`]*`)/g,
    (_, sign: string, value: string) => sign + value.replaceAll(/[^\n]/g, ''),
  );
  return plain
    .split('\n')
    .flatMap((line, index) =>
      /^\s*(#.*|(export\s+)?[\w.-]+\s*=.*)?$/.test(line.replace(/\r$/, ''))
        ? []
        : [`line ${index + 1} of .env sets nothing: write NAME=value, or put # before a comment.`],
    );
}
