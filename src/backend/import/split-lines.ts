// Cuts text into lines, each a JSON value of its own (JSONL, NDJSON).
import { type Entry, longestRecord, type Splitter, tooLong } from './foreign-user.ts';

export function splitLines(): Splitter {
  let rest = '';
  let isTooLong = false;
  let line = 1;
  const take = (text: string): Entry[] => {
    const at = line++;
    const wasTooLong = isTooLong || text.length > longestRecord;
    isTooLong = false;
    if (wasTooLong) return [{ line: at, problem: tooLong }];
    return text.trim() === '' ? [] : [parseLine(at, text)];
  };
  return {
    push: (text) => {
      const pieces = (rest + text).split('\n');
      rest = pieces.pop() ?? '';
      const entries = pieces.flatMap(take);
      // The rest of a line that is too long is not kept.
      if (rest.length > longestRecord) isTooLong = true;
      if (isTooLong) rest = '';
      return entries;
    },
    end: () => (rest === '' && !isTooLong ? [] : take(rest)),
  };
}

function parseLine(line: number, text: string): Entry {
  try {
    return { line, value: JSON.parse(text) };
  } catch {
    return { line, problem: 'the line is not JSON' };
  }
}
