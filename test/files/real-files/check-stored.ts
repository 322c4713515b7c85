// Looks at stored pictures with the tools of others: the same pixels as before, and nothing about place, device or owner.
import { readFileSync } from 'node:fs';
import { mediaTypes } from '#media/media-type';
import type { Accepted } from './examine-files.ts';
import { batchesOf, eachOf, runTool } from './run-tool.ts';

type Compared = { readonly compared: number; readonly changed: string[] };

/** Stripped pictures whose pixels, size or orientation differ from those of the file that was sent. */
export async function findChangedPictures(accepted: readonly Accepted[]): Promise<Compared> {
  const stripped = accepted.flatMap(({ file, type, stripped }) =>
    stripped !== undefined && mediaTypes[type].family === 'image' ? [{ file, stored: stripped }] : [],
  );
  const paths = stripped.flatMap(({ file, stored }) => [file.path, stored]);
  const [pixels, orientations] = [await pixelsOf(paths), await orientationsOf(paths)];
  const readable = stripped.filter(({ file }) => pixels.has(file.path));
  const changed = readable.filter(
    ({ file, stored }) =>
      pixels.get(file.path) !== pixels.get(stored) || orientations.get(file.path) !== orientations.get(stored),
  );
  return { compared: readable.length, changed: changed.map(({ file }) => `${file.from}: ${file.name}`) };
}

/** By path: size and signature of the pixels of every frame. A picture that ImageMagick cannot read is left out. */
async function pixelsOf(paths: readonly string[]): Promise<Map<string, string>> {
  const texts = await eachOf(batchesOf(paths, 60), 2, async (batch) => {
    const { out } = await runTool('identify', ['-quiet', '-format', '%d/%f|%wx%h %#\\n', ...batch]);
    return out.toString('utf8');
  });
  const seen = new Map<string, string>();
  for (const line of texts.join('').trimEnd().split('\n')) {
    const [path = '', look = ''] = line.split('|');
    seen.set(path, `${seen.get(path) ?? ''}${look}\n`);
  }
  return seen;
}

/** By path: 2 to 8, and 1 for everything else. Browsers read it in a PNG only from its chunk, and never from Exif in HEIF. */
async function orientationsOf(paths: readonly string[]): Promise<Map<string, number>> {
  const tags = await readTags(paths, ['-n', '-a', '-Orientation', '-FileType']);
  return new Map(
    tags.map((each) => {
      const path = String(each.SourceFile);
      const orientation = Number(each['EXIF:IFD0:Orientation'] ?? 1);
      const type = String(each['File:FileType']);
      const counts = type === 'PNG' ? readFileSync(path).includes('eXIf') : !/^(?:HEI|AVI)/.test(type);
      return [path, counts && orientation >= 2 && orientation <= 8 ? orientation : 1];
    }),
  );
}

async function readTags(paths: readonly string[], options: readonly string[]): Promise<Record<string, unknown>[]> {
  const lists = await eachOf(batchesOf(paths, 400), 2, async (batch) => {
    const { out } = await runTool('exiftool', ['-j', '-G0:1', ...options, '-@', '-'], {
      input: batch.join('\n'),
    });
    return out.length === 0 ? [] : (JSON.parse(out.toString('utf8')) as Record<string, unknown>[]);
  });
  return lists.flat();
}

/** What exiftool must not find. Colour profiles name the maker of a screen, not of the picture. */
const forbidden =
  /:(?:GPS|MakerNotes|XMP|IPTC|Photoshop)[\w-]*:|:(?:GPS\w*|Make|Model|Software|Artist|Comment|UserComment|\w*SerialNumber|OwnerName|\w*ThumbnailImage)$/;
const colourProfile = /^(?:ICC_Profile|ICC-\w+|File|ExifTool)/;

/** Tags about place, device or owner in the stored bytes of these pictures. */
export async function findPrivateTags(accepted: readonly Accepted[]): Promise<{ looked: number; left: string[] }> {
  const named = new Map(accepted.map((each) => [each.stripped ?? each.file.path, each]));
  const all = await readTags([...named.keys()], ['-a', '-u']);
  const left = all.flatMap((tags) => {
    const each = named.get(String(tags.SourceFile));
    const found = Object.keys(tags).filter((tag) => !colourProfile.test(tag) && forbidden.test(`:${tag}`));
    return each === undefined || found.length === 0
      ? []
      : [`${each.file.from}: ${each.file.name}: ${found.join(', ')}`];
  });
  return { looked: all.length, left };
}
