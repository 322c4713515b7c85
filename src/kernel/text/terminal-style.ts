// Colours for a terminal. Each text is escaped before it gets a colour, so no value can send a control character of its own.
import { escapeAllButLines } from './plain-text.ts';

/** `code` is for what a person has to type: it stands out most. `paper` is black on white in every terminal. */
export type Style = 'bold' | 'dim' | 'red' | 'yellow' | 'green' | 'cyan' | 'code' | 'paper';

export type Piece = string | { readonly text: string; readonly style: Style };

type Env = Readonly<Record<string, string | undefined>>;

const styles: Readonly<Record<Style, string>> = {
  bold: '1',
  dim: '2',
  red: '31',
  yellow: '33',
  green: '32',
  cyan: '36',
  code: '1;7',
  paper: '38;5;16;48;5;231',
};

/** FORCE_COLOR decides first, then NO_COLOR (no-color.org) and a terminal that knows no colours. */
export function usesColour(env: Env, isTerminal: boolean): boolean {
  const { FORCE_COLOR: forced, NO_COLOR: refused = '', NODE_DISABLE_COLORS: disabled = '', TERM: term } = env;
  if (forced !== undefined) return ['', '1', '2', '3', 'true'].includes(forced);
  return isTerminal && refused === '' && disabled === '' && term !== 'dumb';
}

export function paint(pieces: readonly Piece[], hasColour: boolean): string {
  return pieces
    .map((piece) => (typeof piece === 'string' ? escapeAllButLines(piece) : draw(piece, hasColour)))
    .join('');
}

function draw({ text, style }: Exclude<Piece, string>, hasColour: boolean): string {
  const shown = escapeAllButLines(text);
  if (!hasColour) return shown;
  const framed = style === 'code' ? ` ${shown} ` : shown;
  return `\u001b[${styles[style]}m${framed}\u001b[0m`;
}
