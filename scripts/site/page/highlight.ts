// Marks comments, texts, numbers and words of code, for every language that the documentation shows.
import { builtMarkup, html, type Markup, toText } from '../../../src/kernel/text/html.ts';

const wordsOf: Readonly<Record<string, string>> = {
  ts: 'const|let|await|async|import|from|export|function|return|new|for|of|if|throw|type',
  python: 'import|from|with|as|def|return|for|in|if|print|class|await|async|lambda',
  sh: 'curl|npm|export|for|do|done|in|if|then|fi|docker|node|git|sudo|openssl|gatehouse',
  json: 'true|false|null',
};

const aliases: Readonly<Record<string, string>> = {
  typescript: 'ts',
  tsx: 'ts',
  js: 'ts',
  javascript: 'ts',
  py: 'python',
  bash: 'sh',
  shell: 'sh',
  console: 'sh',
};

/** A text in quotes, a comment to the end of the line, a number, or a word. Nothing else is marked. */
const patterns = new Map(
  Object.entries(wordsOf).map(([language, words]) => {
    const comment =
      language === 'ts' ? String.raw`\/\/[^\n]*` : language === 'json' ? '$^' : String.raw`(?<=^|\s)#[^\n]*`;
    const text = `${String.raw`"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'|`}\`[^\`]*\``;
    return [language, new RegExp(`(${comment})|(${text})|\\b(\\d[\\d_.]*)\\b|\\b(${words})\\b`, 'gm')] as const;
  }),
);

/** Plain text if the language is not known. */
export function highlight(code: string, language: string): Markup {
  const pattern = patterns.get(aliases[language] ?? language);
  if (pattern === undefined) return html`${code}`;
  const parts: Markup[] = [];
  let end = 0;
  for (const match of code.matchAll(pattern)) {
    const [whole, comment, text, number] = match;
    const kind = comment !== undefined ? 'c' : text !== undefined ? 's' : number !== undefined ? 'n' : 'k';
    parts.push(html`${code.slice(end, match.index)}<span class="${kind}">${whole}</span>`);
    end = match.index + whole.length;
  }
  return html`${parts}${code.slice(end)}`;
}

/** The base URL is marked, so that the page's script can replace it with the origin of the page. */
export function withOrigin(code: string, language: string): Markup {
  return builtMarkup(toText(highlight(code, language)).replaceAll('$BASE', () => '<span data-origin>$BASE</span>'));
}
