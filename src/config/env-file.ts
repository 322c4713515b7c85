// Parses a file of settings as systemd parses an EnvironmentFile, so that a command reads what the service reads.

type FileSetting = { readonly value: string; readonly line: number };

type FileProblem = { readonly line: number; readonly trouble: string; readonly cure: string };

type EnvFile = {
  /** By name. The last line of a name counts. */
  readonly settings: Readonly<Record<string, FileSetting>>;
  readonly problems: readonly FileProblem[];
};

const isName = /^[A-Za-z_]\w*$/;
const writeLine = 'write NAME=value, or put # before a comment';

/**
 * A comment begins with # or ; at the start of a line: elsewhere both belong to the value. A backslash takes the next
 * character as it is, and joins lines. Between single quotes nothing is special.
 */
export function parseEnvFile(text: string): EnvFile {
  const settings: Record<string, FileSetting> = {};
  const problems: FileProblem[] = [];
  const reader = createReader(text.replaceAll('\r\n', '\n').replace(/^\uFEFF/, ''));
  while (!reader.isAtEnd()) {
    reader.skip(' \t\n\r');
    if (reader.isAtEnd()) break;
    const line = reader.line();
    if ('#;'.includes(reader.peek())) {
      reader.takeUntil('\n');
      continue;
    }
    const key = reader.takeUntil('=\n').trim();
    if (reader.peek() !== '=') {
      problems.push({ line, trouble: 'sets nothing', cure: writeLine });
      continue;
    }
    reader.next();
    const { value, isOpen } = readValue(reader);
    if (isOpen)
      problems.push({ line, trouble: `${nameIn(key)} begins with a quote that nothing ends`, cure: 'close the quote' });
    else if (isName.test(key)) settings[key] = { value, line };
    else problems.push({ line, trouble: 'has no name of a setting before its =', cure: cureOfName(key) });
  }
  return { settings, problems };
}

function cureOfName(key: string): string {
  return /^export\s/.test(key) ? 'leave out export' : writeLine;
}

/** What is no name may be a part of a secret. */
function nameIn(key: string): string {
  return isName.test(key) ? `sets ${key}, whose value` : 'has a value that';
}

type Reader = ReturnType<typeof createReader>;

function createReader(text: string) {
  let at = 0;
  let line = 1;
  const next = (): string => {
    const character = text.charAt(at);
    if (character === '\n') line += 1;
    at += 1;
    return character;
  };
  const takeUntil = (ends: string): string => {
    const from = at;
    while (at < text.length && !ends.includes(text.charAt(at))) next();
    return text.slice(from, at);
  };
  return {
    isAtEnd: () => at >= text.length,
    peek: () => text.charAt(at),
    line: () => line,
    next,
    takeUntil,
    skip: (characters: string) => {
      while (at < text.length && characters.includes(text.charAt(at))) next();
    },
  };
}

/** Quoted and plain parts of a value are joined. Blanks around plain parts do not count. */
function readValue(reader: Reader): { value: string; isOpen: boolean } {
  let value = '';
  for (;;) {
    reader.skip(' \t\r');
    const first = reader.peek();
    if (reader.isAtEnd() || first === '\n') return { value, isOpen: false };
    if (first === "'" || first === '"') {
      reader.next();
      const inner = first === "'" ? reader.takeUntil("'") : readDoubleQuoted(reader);
      if (reader.isAtEnd()) return { value, isOpen: true };
      reader.next();
      value += inner;
    } else {
      return { value: value + readPlain(reader), isOpen: false };
    }
  }
}

function readPlain(reader: Reader): string {
  let value = '';
  /** Up to here an escaped blank keeps its place at the end. */
  let least = 0;
  while (!reader.isAtEnd() && reader.peek() !== '\n') {
    const character = reader.next();
    if (character !== '\\') {
      value += character;
      continue;
    }
    const escaped = reader.isAtEnd() ? '' : reader.next();
    value += escaped === '\n' ? '' : escaped;
    least = value.length;
  }
  return value.slice(0, least) + value.slice(least).trimEnd();
}

function readDoubleQuoted(reader: Reader): string {
  let value = '';
  while (!reader.isAtEnd() && reader.peek() !== '"') {
    const character = reader.next();
    if (character !== '\\' || reader.isAtEnd()) {
      value += character;
      continue;
    }
    const escaped = reader.next();
    if ('"\\`$'.includes(escaped)) value += escaped;
    else if (escaped !== '\n') value += character + escaped;
  }
  return value;
}
