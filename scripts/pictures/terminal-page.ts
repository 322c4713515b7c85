// Shows what a program printed as a page that looks like a terminal.
import { html, toText } from '../../src/kernel/text/html.ts';

const styleOf: Readonly<Record<string, string>> = {
  '1': 'bold',
  '2': 'dim',
  '31': 'red',
  '32': 'green',
  '33': 'yellow',
  '36': 'cyan',
  '1;7': 'code',
};

/** `typed`: the command after the prompt. */
export function writeTerminalPage(typed: string, printed: string): string {
  const [first = '', ...rest] = printed.replaceAll('\r', '').trimEnd().split('\u001b[');
  const pieces = rest.map((piece) => {
    const end = piece.indexOf('m');
    return html`<span class="${styleOf[piece.slice(0, end)] ?? ''}">${piece.slice(end + 1)}</span>`;
  });
  const page = html`<!doctype html><html lang="en"><meta charset="utf-8"><title>Terminal</title>
<style>${style}</style><main><i></i><i></i><i></i><pre><b>$</b> ${typed}
${first}${pieces}</pre></main></html>`;
  return toText(page);
}

const style = `
body { margin: 0; padding: 24px; background: #e7e9f0; }
main { padding: 14px 20px 20px; border-radius: 12px; background: #14161b; box-shadow: 0 12px 32px rgb(20 22 40 / 30%); }
i { display: inline-block; width: 12px; height: 12px; margin-right: 8px; border-radius: 50%; background: #3a3f4b; }
pre { margin: 14px 0 0; color: #d7dae2; font: 14px/1.5 monospace; white-space: pre-wrap; }
b { color: #a3b4ff; } .bold { font-weight: bold; color: #fff; } .dim { color: #8a90a0; } .cyan { color: #7fd3e6; }
.green { color: #86d992; } .yellow { color: #f0c674; } .red { color: #ff8f8f; } .code { font-weight: bold; color: #14161b; background: #fff; }`;
