// Shows the progress of a long command on stderr: one line that is updated on a terminal, a line every few seconds elsewhere.

import type { Progress } from '../kernel/process/progress.ts';
import { formatBytes } from '../kernel/text/format-bytes.ts';

const pauses = { terminal: 100, elsewhere: 5000 };

type ProgressLine = { readonly report: Progress; end(): void };

export function startProgress(title: string): ProgressLine {
  const isTerminal = process.stderr.isTTY;
  let shownAt = performance.now();
  let line = '';
  const show = () => process.stderr.write(isTerminal ? `\r\u001b[K${line}` : `${line}\n`);
  return {
    report: ({ done, total, bytes, what }) => {
      const share = total > done ? `${done} of ${total}` : `${done}`;
      line = `${title}: ${share} ${what}${bytes > 0 ? `, ${formatBytes(bytes)}` : ''}`;
      if (performance.now() - shownAt < (isTerminal ? pauses.terminal : pauses.elsewhere)) return;
      shownAt = performance.now();
      show();
    },
    end: () => {
      if (line === '') return;
      show();
      if (isTerminal) process.stderr.write('\n');
    },
  };
}
