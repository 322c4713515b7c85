// Finds the files of the types that the service knows, as file(1) sees them: the extension alone decides nothing.
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { extname, join, relative } from 'node:path';
import { isMediaType, type MediaType, mediaTypes } from '#media/media-type';
import { batchesOf, eachOf, runTool } from './run-tool.ts';
import type { SourcePackage } from './source-packages.ts';

export type RealFile = {
  readonly from: string;
  /** Within its package. */
  readonly name: string;
  readonly path: string;
  readonly bytes: number;
  /** The type that file(1) sees. Undefined if it sees nothing, and only the name speaks for a known type. */
  readonly seen: string | undefined;
};

/** What file(1) calls our types, beside their own names. */
const otherNames: Readonly<Record<string, MediaType>> = {
  'audio/x-m4a': 'audio/mp4',
  'audio/x-wav': 'audio/wav',
  'application/ogg': 'audio/ogg',
  'application/csv': 'text/csv',
  'video/x-m4v': 'video/mp4',
  'video/3gpp': 'video/mp4',
};

const mostBytes = 50 * 2 ** 20;
const extensions: ReadonlySet<string> = new Set(
  Object.values(mediaTypes).flatMap((rule) => rule.extensions.map((extension) => `.${extension}`)),
);

/** Undefined for a type that the service does not know. */
export function knownType(seen: string | undefined): MediaType | undefined {
  if (seen === undefined) return undefined;
  return isMediaType(seen) ? seen : otherNames[seen];
}

/** The same bytes in two packages count once. */
export async function gatherFiles(packages: readonly SourcePackage[]): Promise<RealFile[]> {
  const found = packages.flatMap(({ name, folder }) => filesUnder(name, folder));
  const types = (await eachOf(batchesOf(found, 500), 2, typesOf)).flat();
  const known = found.flatMap((file, index) => {
    const seen = types[index];
    if (knownType(seen) !== undefined) return [{ ...file, seen }];
    return seen === 'application/octet-stream' && extensions.has(extname(file.name).toLowerCase())
      ? [{ ...file, seen: undefined }]
      : [];
  });
  const unique = new Map(known.toReversed().map((file) => [digestOf(file.path), file]));
  return [...unique.values()].toReversed();
}

function filesUnder(from: string, folder: string): Omit<RealFile, 'seen'>[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => {
      const path = join(entry.parentPath, entry.name);
      return { from, name: relative(folder, path), path, bytes: statSync(path).size };
    })
    .filter(({ bytes }) => bytes > 0 && bytes <= mostBytes)
    .toSorted((one, other) => (one.name < other.name ? -1 : 1));
}

async function typesOf(files: readonly { readonly path: string }[]): Promise<string[]> {
  const paths = files.map(({ path }) => path);
  const { out } = await runTool('file', ['--brief', '--mime-type', '--', ...paths]);
  return out.toString('utf8').trimEnd().split('\n');
}

function digestOf(path: string): string {
  return createHash('sha256').update(readFileSync(path)).digest('hex');
}
