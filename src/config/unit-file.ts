// Reads from a systemd unit which program it runs, and where the settings of the program come from.

export type ServiceUnit = {
  /** The words of ExecStart. One of them is the path of the program. */
  readonly words: readonly string[];
  readonly environment: Readonly<Record<string, string>>;
  /** In their order: a later file overrides an earlier one, and every file the environment of the unit. */
  readonly files: readonly { readonly path: string; readonly isOptional: boolean }[];
  /** Undefined: only systemd knows it, such as the home of the user. */
  readonly workingDirectory: string | undefined;
};

/** The unit, followed by its drop-ins. An empty assignment takes back what earlier ones have set. */
export function parseUnit(texts: readonly string[]): ServiceUnit {
  let words: string[] = [];
  let environment: Record<string, string> = {};
  let files: { path: string; isOptional: boolean }[] = [];
  let folder = '/';
  for (const [key, value] of texts.flatMap(listAssignments)) {
    if (key === 'ExecStart') words = splitWords(value);
    if (key === 'WorkingDirectory') folder = value === '' ? '/' : value.replace(/^-/, '');
    if (key === 'Environment')
      environment = value === '' ? {} : { ...environment, ...Object.fromEntries(splitWords(value).map(splitAtSign)) };
    if (key === 'EnvironmentFile') {
      const isOptional = value.startsWith('-');
      files = value === '' ? [] : [...files, { path: isOptional ? value.slice(1) : value, isOptional }];
    }
  }
  return { words, environment, files, workingDirectory: folder.startsWith('/') ? folder : undefined };
}

function listAssignments(text: string): (readonly [key: string, value: string])[] {
  let section = '';
  const found: [string, string][] = [];
  for (const line of text
    .replaceAll(/\\\r?\n/g, ' ')
    .split('\n')
    .map((one) => one.trim())) {
    if (line.startsWith('[')) section = line;
    else if (section === '[Service]' && !/^[#;]/.test(line) && line.includes('=')) {
      const [key, value] = splitAtSign(line);
      found.push([key.trim(), value.trim()]);
    }
  }
  return found;
}

function splitAtSign(text: string): readonly [key: string, value: string] {
  const at = text.indexOf('=');
  return at < 0 ? [text, ''] : [text.slice(0, at), text.slice(at + 1)];
}

/** Quotes keep blanks in a word. A percent sign is doubled in a unit. */
function splitWords(text: string): string[] {
  const words: string[] = [];
  let word: string | undefined;
  let quote = '';
  for (let at = 0; at < text.length; at += 1) {
    const character = text.charAt(at);
    if (character === quote) quote = '';
    else if (quote === '' && (character === '"' || character === "'")) {
      quote = character;
      word ??= '';
    } else if (quote === '' && /\s/.test(character)) {
      if (word !== undefined) words.push(word);
      word = undefined;
    } else if (character === '\\') {
      at += 1;
      word = (word ?? '') + text.charAt(at);
    } else word = (word ?? '') + character;
  }
  if (word !== undefined) words.push(word);
  return words.map((one) => one.replaceAll('%%', '%'));
}
