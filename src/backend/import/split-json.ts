// Cuts one large JSON document into the objects of one list, without holding the document: a top-level list, or a list by its name.
import { type Entry, longestRecord, SourceError, type Splitter, tooLong } from './foreign-user.ts';

const quote = 0x22;
const backslash = 0x5c;

/** Names of fields are short. Of a longer text only the beginning is kept. */
const longestName = 64;

/** Follows quotes and brackets only; each object is then parsed by itself. Several documents may follow each other, such as pages. */
export function splitJson(listName: string): Splitter {
  let depth = 0;
  /** How deep the objects of the list are. */
  let listDepth = -1;
  let hasList = false;
  let isInString = false;
  let isEscaped = false;
  let lastText = '';
  let line = 1;
  /** The object that is being read: the chunks of it so far, or undefined outside of one. */
  let held: string | undefined;
  let heldLine = 1;
  let isTooLong = false;
  const hold = (text: string) => {
    if (held === undefined || isTooLong) return;
    if (held.length + text.length > longestRecord) isTooLong = true;
    else held += text;
  };
  const finish = (): Entry => {
    const entry = isTooLong ? { line: heldLine, problem: tooLong } : parse(heldLine, held ?? '');
    held = undefined;
    isTooLong = false;
    return entry;
  };
  const open = (isList: boolean, text: string) => {
    if (depth === listDepth && !isList && held === undefined) {
      held = '';
      heldLine = line;
    }
    depth += 1;
    if (!isList || listDepth >= 0) return;
    if (depth === 1 || (depth === 2 && text === listName)) {
      listDepth = depth;
      hasList = true;
    }
  };
  const push = (text: string): Entry[] => {
    const entries: Entry[] = [];
    /** Where the part of the object in this chunk begins. */
    let start = 0;
    for (let at = 0; at < text.length; at++) {
      const code = text.charCodeAt(at);
      if (code === 0x0a) line += 1;
      if (isInString) {
        if (isEscaped) isEscaped = false;
        else if (code === backslash) isEscaped = true;
        else if (code === quote) isInString = false;
        if (isInString && held === undefined && lastText.length < longestName) lastText += text[at];
        continue;
      }
      if (code === quote) {
        isInString = true;
        if (held === undefined) lastText = '';
        continue;
      }
      const isOpening = code === 0x7b || code === 0x5b;
      if (isOpening) {
        const wasOutside = held === undefined;
        open(code === 0x5b, lastText);
        if (wasOutside && held !== undefined) start = at;
      } else if (code === 0x7d || code === 0x5d) {
        depth -= 1;
        if (depth < 0) throw new SourceError(`Line ${line} closes a bracket that was not opened.`);
        if (held !== undefined && depth === listDepth) {
          hold(text.slice(start, at + 1));
          entries.push(finish());
        } else if (depth < listDepth) listDepth = -1;
      }
    }
    if (held !== undefined) hold(text.slice(start));
    return entries;
  };
  return {
    push,
    end: () => {
      if (depth > 0 || isInString)
        throw new SourceError('The file ends in the middle of a record: it is not complete.');
      if (!hasList) throw new SourceError(`The file has no list "${listName}".`);
      return [];
    },
  };
}

function parse(line: number, text: string): Entry {
  try {
    return { line, value: JSON.parse(text) };
  } catch {
    return { line, problem: 'the record is not JSON' };
  }
}
