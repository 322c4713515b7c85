// Cuts CSV (RFC 4180) into records by column name: quoted fields, line breaks in them, CRLF and LF. Excel also writes semicolons and tabs.
import { type Entry, longestRecord, SourceError, type Splitter, tooLong } from './foreign-user.ts';

const quote = 0x22;
const newline = 0x0a;
const carriageReturn = 0x0d;

/** Where the next character stands: at the start of a field, in it, in its quotes, or after a quote that may end it. */
type Place = 'start' | 'plain' | 'quoted' | 'after quote';

type Row = { readonly line: number; readonly fields: readonly string[]; readonly problem: string | undefined };

type Form = {
  /** Of the columns, for a file without a header. */
  readonly names?: readonly string[];
  /** A line of a file without a header has at least so many fields. A shorter one is the half of a record. */
  readonly least?: number;
  /** The header must have one of these names. */
  readonly needs?: readonly string[];
  /** The beginning of the file: its first line shows the separator of the fields. Without it, a comma. */
  readonly start?: string;
  /** The name that a column of the header has in the records. */
  readonly nameOf?: (column: string) => string;
  /** A separator after a backslash is a part of the field. */
  readonly hasBackslashes?: boolean;
  /** In the quoted fields of this column, a quotation mark after a backslash is a part of the field, and is not doubled. */
  readonly escapedAt?: number;
};

/** How tools write a value that is missing. */
const missing: ReadonlySet<string> = new Set(['null', 'NULL', '\\N']);

export function splitCsv(form: Form): Splitter {
  const { names, least = 0, needs = [], start = '', nameOf = (column) => column } = form;
  const rows = splitRows(separatorIn(start), form);
  let columns = names;
  const toEntries = (row: Row): Entry[] => {
    const { line, fields, problem } = row;
    if (problem !== undefined) return [{ line, problem }];
    // A spreadsheet ends with rows that have separators only.
    if (fields.every((field) => field.trim() === '')) return [];
    if (columns === undefined) {
      columns = readHeader(
        fields.map((field) => nameOf(field.trim())),
        needs,
      );
      return [];
    }
    // A comma at the end of each line makes one more field, which is empty.
    const isFitting = fields.length <= columns.length || fields.slice(columns.length).every((field) => field === '');
    const isComplete = fields.length >= (names === undefined ? columns.length : least);
    if (!isFitting || !isComplete)
      return [{ line, problem: `the line has ${fields.length} fields instead of ${columns.length}` }];
    return [{ line, value: Object.fromEntries(columns.map((name, at) => [name, textIn(fields[at])])) }];
  };
  return { push: (text) => rows.push(text).flatMap(toEntries), end: () => rows.end().flatMap(toEntries) };
}

function textIn(field = ''): string {
  return missing.has(field) ? '' : field;
}

/** No name of a column has one of these characters. */
function separatorIn(start: string): string {
  const [firstLine = ''] = start.split('\n', 1);
  return [',', ';', '\t'].find((sign) => firstLine.includes(sign)) ?? ',';
}

function readHeader(columns: readonly string[], needs: readonly string[]): readonly string[] {
  const last = new Map(columns.map((name, at) => [name, at]));
  const twice = columns.find((name, at) => name !== '' && last.get(name) !== at);
  if (twice !== undefined) throw new SourceError(`The header names the column ${twice} twice.`);
  if (needs.length > 0 && !needs.some((name) => columns.includes(name)))
    throw new SourceError(`The first line must name the columns. It has none of: ${needs.join(', ')}.`);
  return columns;
}

function splitRows(
  separator: string,
  { hasBackslashes = false, escapedAt }: Form,
): { push(text: string): Row[]; end(): Row[] } {
  const between = separator.charCodeAt(0);
  let place: Place = 'start';
  let fields: string[] = [];
  let field = '';
  let length = 0;
  let line = 1;
  let firstLine = 1;
  let problem: string | undefined;
  const count = (characters: number) => {
    length += characters;
    if (length > longestRecord) problem = tooLong;
  };
  const add = (text: string) => {
    count(text.length);
    if (problem === undefined) field += text;
  };
  const endField = () => {
    // A record with a problem is not kept, however many fields follow.
    if (problem === undefined) fields.push(field);
    field = '';
    place = 'start';
  };
  const endRow = (): Row => {
    if (place === 'plain' && field.endsWith('\r')) field = field.slice(0, -1);
    endField();
    const row = { line: firstLine, fields, problem };
    fields = [];
    length = 0;
    problem = undefined;
    firstLine = line;
    return row;
  };
  const push = (text: string): Row[] => {
    const rows: Row[] = [];
    let at = 0;
    while (at < text.length) {
      if (place === 'quoted') {
        const found = text.indexOf('"', at);
        const end = found < 0 ? text.length : found;
        line += countLines(text, at, end);
        add(text.slice(at, end));
        at = end + 1;
        if (found >= 0 && fields.length === escapedAt && field.endsWith('\\')) add('"');
        else if (found >= 0) place = 'after quote';
        continue;
      }
      const code = text.charCodeAt(at);
      if (code === quote && place === 'start') place = 'quoted';
      else if (code === quote && place === 'after quote') {
        add('"');
        place = 'quoted';
      } else if (code === between && hasBackslashes && place === 'plain' && field.endsWith('\\')) {
        field = field.slice(0, -1);
        add(separator);
      } else if (code === between) {
        count(1);
        endField();
      } else if (code === newline) {
        line += 1;
        rows.push(endRow());
      } else if (place === 'after quote') {
        if (code !== carriageReturn) problem ??= 'a quoted field goes on after its closing quote';
      } else {
        const end = endOfPlain(text, at, between);
        add(text.slice(at, end));
        place = 'plain';
        at = end;
        continue;
      }
      at += 1;
    }
    return rows;
  };
  return {
    push,
    end: () => {
      if (place === 'quoted') throw new SourceError(`A quoted field in the record of line ${firstLine} has no end.`);
      return place === 'start' && fields.length === 0 && problem === undefined ? [] : [endRow()];
    },
  };
}

function endOfPlain(text: string, from: number, between: number): number {
  let at = from + 1;
  while (at < text.length) {
    const code = text.charCodeAt(at);
    if (code === between || code === newline) break;
    at += 1;
  }
  return at;
}

function countLines(text: string, from: number, to: number): number {
  let count = 0;
  for (let at = text.indexOf('\n', from); at >= 0 && at < to; at = text.indexOf('\n', at + 1)) count += 1;
  return count;
}
