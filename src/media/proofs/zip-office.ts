// Distinguishes office documents from other ZIP archives, and refuses documents with macros.
import { crc32, inflateRawSync } from 'node:zlib';
import { corrupt, type FileBytes, type MediaType, type Proof, proved } from '../media-type.ts';
import type { PlacedEntry } from './zip-entries.ts';

const maxContentTypesBytes = 1024 * 1024;
const word = 'application/vnd.openxmlformats-officedocument.wordprocessingml.document';
const sheet = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet';
const openText = 'application/vnd.oasis.opendocument.text';
const mainParts = { [word]: 'word/document.xml', [sheet]: 'xl/workbook.xml' } as const;

type Names = ReadonlySet<string>;

export function officeProof(file: FileBytes, entries: readonly PlacedEntry[]): Proof {
  // Part names ignore case (ECMA-376 part 2, 6.2.2.3).
  const names = new Set(entries.map(({ name }) => name.toLowerCase()));
  const types = entries.find(({ name }) => name.toLowerCase() === '[content_types].xml');
  const first = entries[0];
  if (first !== undefined && isOpenText(file, first)) return openTextProof(entries, names);
  return types === undefined ? proved('application/zip') : openXmlProof(file, types, entries, names);
}

/** Office programs read the type from the first entry, which is neither compressed nor encrypted. */
function isOpenText(file: FileBytes, first: PlacedEntry): boolean {
  const isPlain = first.method === 0 && (first.flags & 1) === 0 && first.unpackedSize === openText.length;
  if (first.name !== 'mimetype' || !isPlain) return false;
  const type = file.read(first.dataStart, openText.length);
  return type.toString('latin1') === openText && crc32(type) === first.checksum;
}

function openTextProof(entries: readonly PlacedEntry[], names: Names): Proof {
  if (!names.has('content.xml') || !names.has('meta-inf/manifest.xml')) return corrupt(openText, 'no content');
  if (names.has('[content_types].xml')) return corrupt(openText, 'two kinds of document');
  if (entries.some(({ name }) => /^(?:basic|scripts)\/./i.test(name))) return corrupt(openText, 'macro');
  return unusualEntry(openText, entries, names) ?? proved(openText);
}

function openXmlProof(file: FileBytes, types: PlacedEntry, entries: readonly PlacedEntry[], names: Names): Proof {
  const xml = readContentTypes(file, types);
  if (xml === undefined) return corrupt(likelyType(names), 'unreadable [Content_Types].xml');
  if (/macroenabled|macrosheet|vbaproject/i.test(xml)) return corrupt(likelyType(names), 'macro');
  if (entries.some(({ name }) => /vbaproject\.bin$/i.test(name))) return corrupt(likelyType(names), 'macro');
  const named = namedType(xml, names);
  if (named === undefined) return proved('application/zip');
  return typeof named === 'string' ? (unusualEntry(named, entries, names) ?? proved(named)) : named;
}

function likelyType(names: Names): MediaType {
  if (names.has(mainParts[word])) return word;
  return names.has(mainParts[sheet]) ? sheet : 'application/zip';
}

/** The type of the declared main part, which must exist. Undefined if no supported type is declared: the file is a plain archive. */
function namedType(xml: string, names: Names): typeof word | typeof sheet | Proof | undefined {
  const found = ([word, sheet] as const).filter((type) => xml.includes(`"${type}.main+xml"`));
  const type = found[0];
  if (type === undefined) return undefined;
  if (found.length > 1) return corrupt(type, 'two main parts');
  const override = xml.match(/<Override\b[^<>]*>/g)?.find((tag) => tag.includes(`"${type}.main+xml"`));
  const part =
    override === undefined
      ? mainParts[type]
      : /PartName[ \t\r\n]{0,4}=[ \t\r\n]{0,4}"\/([^"]+)"/.exec(override)?.[1]?.toLowerCase();
  return part !== undefined && names.has(part) ? type : corrupt(type, 'the main part is missing');
}

function unusualEntry(type: MediaType, entries: readonly PlacedEntry[], names: Names): Proof | undefined {
  if (names.size !== entries.length) return corrupt(type, 'two parts with one name');
  if (entries.some(({ flags }) => (flags & 1) !== 0)) return corrupt(type, 'an encrypted entry');
  if (entries.some(({ method }) => method !== 0 && method !== 8)) return corrupt(type, 'an unusual compression');
  return undefined;
}

/** Undefined if it is too large, broken or encrypted, or if its XML syntax would mislead a text search. */
function readContentTypes(file: FileBytes, entry: PlacedEntry): string | undefined {
  const isReadable = (entry.flags & 1) === 0 && (entry.method === 0 || entry.method === 8);
  if (!isReadable || Math.max(entry.unpackedSize, entry.packedSize) > maxContentTypesBytes) return undefined;
  const packed = file.read(entry.dataStart, entry.packedSize);
  const bytes = entry.method === 0 ? packed : unpack(packed);
  if (bytes?.length !== entry.unpackedSize || crc32(bytes) !== entry.checksum) return undefined;
  const xml = bytes.toString('utf8').replaceAll("'", '"');
  return /<!|&(?!amp;)|\0/.test(xml) ? undefined : xml;
}

function unpack(packed: Buffer): Buffer | undefined {
  try {
    return inflateRawSync(packed, { maxOutputLength: maxContentTypesBytes });
  } catch {
    return undefined;
  }
}
