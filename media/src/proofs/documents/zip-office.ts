// Distinguishes office documents from other ZIP archives, and refuses documents with macros or a password.
import { crc32, inflateRawSync } from 'node:zlib';
import type { FileBytes, MediaType } from '../../media-type.ts';
import { corrupt, excluded, isObjection, type Objection, type Proof, proved, refused } from '../../proof.ts';
import type { PlacedEntry } from '../archives/zip-entries.ts';

const maxXmlBytes = 1024 * 1024;
const word = 'application/vnd.openxmlformats-officedocument.wordprocessingml.document';
const sheet = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet';
const openText = 'application/vnd.oasis.opendocument.text';
const mainParts = { [word]: 'word/document.xml', [sheet]: 'xl/workbook.xml' } as const;

type Parts = ReadonlyMap<string, PlacedEntry>;

export function officeProof(file: FileBytes, entries: readonly PlacedEntry[]): Proof {
  const parts = new Map(entries.map((entry) => [partName(entry), entry]));
  const types = parts.get('[content_types].xml');
  const first = entries[0];
  if (first !== undefined && isOpenText(file, first)) return openTextProof(file, entries, parts);
  return types === undefined ? proved('application/zip') : openXmlProof(file, types, entries, parts);
}

/** Part names ignore case (ECMA-376 part 2, 6.2.2.3). Office programs read a backslash as a slash. */
function partName({ name }: PlacedEntry): string {
  return name.toLowerCase().replaceAll('\\', '/');
}

/** Office programs read the type from the first entry, which is neither compressed nor encrypted. */
function isOpenText(file: FileBytes, first: PlacedEntry): boolean {
  const isPlain = first.method === 0 && (first.flags & 1) === 0 && first.unpackedSize === openText.length;
  if (first.name !== 'mimetype' || !isPlain) return false;
  const type = file.read(first.dataStart, openText.length);
  return type.toString('latin1') === openText && crc32(type) === first.checksum;
}

function openTextProof(file: FileBytes, entries: readonly PlacedEntry[], parts: Parts): Proof {
  // With a password, newer programs pack the whole document into one entry.
  if (parts.has('encrypted-package')) return excluded(openText, 'encrypted-document');
  const manifest = parts.get('meta-inf/manifest.xml');
  if (!parts.has('content.xml') || manifest === undefined) return corrupt(openText, 'no content');
  if (parts.has('[content_types].xml')) return excluded(openText, 'hidden-file');
  if ([...parts.keys()].some((name) => /^(?:basic|scripts)\/./.test(name))) return excluded(openText, 'macros');
  const objection = unusualEntry(entries, parts);
  if (objection !== undefined) return refused(openText, objection);
  const xml = readXml(file, manifest);
  if (isObjection(xml)) return refused(openText, xml);
  // Older programs encrypt each entry, without saying so in the archive.
  return /encryption-data\b/.test(xml.text) ? excluded(openText, 'encrypted-document') : proved(openText);
}

function openXmlProof(file: FileBytes, types: PlacedEntry, entries: readonly PlacedEntry[], parts: Parts): Proof {
  const likely = likelyType(parts);
  const xml = readXml(file, types);
  if (isObjection(xml)) return refused(likely, xml);
  // Syntax that would mislead a search in the text.
  if (/<!|&(?!amp;)|\0/.test(xml.text)) return excluded(likely, 'document-form');
  const hasMacros =
    /macroenabled|macrosheet|vbaproject/i.test(xml.text) || entries.some(({ name }) => /vbaproject\.bin$/i.test(name));
  if (hasMacros) return excluded(likely, 'macros');
  const named = namedType(xml.text.replaceAll("'", '"'), parts);
  if (named === undefined) return proved('application/zip');
  if (typeof named !== 'string') return named;
  const objection = unusualEntry(entries, parts);
  return objection === undefined ? proved(named) : refused(named, objection);
}

function likelyType(parts: Parts): MediaType {
  if (parts.has(mainParts[word])) return word;
  return parts.has(mainParts[sheet]) ? sheet : 'application/zip';
}

/** The type of the declared main part, which must exist. Undefined if no supported type is declared: the file is a plain archive. */
function namedType(xml: string, parts: Parts): typeof word | typeof sheet | Proof | undefined {
  const found = ([word, sheet] as const).filter((type) => xml.includes(`"${type}.main+xml"`));
  const type = found[0];
  if (type === undefined) return undefined;
  if (found.length > 1) return excluded(type, 'hidden-file');
  const override = xml.match(/<Override\b[^<>]*>/g)?.find((tag) => tag.includes(`"${type}.main+xml"`));
  const part =
    override === undefined
      ? mainParts[type]
      : /PartName[ \t\r\n]{0,4}=[ \t\r\n]{0,4}"\/([^"]+)"/.exec(override)?.[1]?.toLowerCase();
  return part !== undefined && parts.has(part) ? type : corrupt(type, 'the main part is missing');
}

function unusualEntry(entries: readonly PlacedEntry[], parts: Parts): Objection | undefined {
  if (parts.size !== entries.length) return { rule: 'zip-names' };
  if (entries.some(({ flags }) => (flags & 1) !== 0)) return { rule: 'encrypted-document' };
  return entries.some(({ method }) => method !== 0 && method !== 8) ? { rule: 'zip-form' } : undefined;
}

/** The text of an entry that office programs keep small. */
function readXml(file: FileBytes, entry: PlacedEntry): { readonly text: string } | Objection {
  if ((entry.flags & 1) !== 0) return { rule: 'encrypted-document' };
  if (entry.method !== 0 && entry.method !== 8) return { rule: 'zip-form' };
  if (Math.max(entry.unpackedSize, entry.packedSize) > maxXmlBytes) return { rule: 'document-form' };
  const packed = file.read(entry.dataStart, entry.packedSize);
  const bytes = entry.method === 0 ? packed : unpack(packed);
  const isWhole = bytes?.length === entry.unpackedSize && crc32(bytes) === entry.checksum;
  return isWhole ? { text: bytes.toString('utf8') } : `${entry.name} is damaged`;
}

function unpack(packed: Buffer): Buffer | undefined {
  try {
    return inflateRawSync(packed, { maxOutputLength: maxXmlBytes });
  } catch {
    return undefined;
  }
}
