// The media types that can be proved from a file's bytes, with their extensions and the names that clients use for them.

/** Synchronous random access to a file that does not change. A proof reads it in pieces, in a worker thread that may block. */
export type FileBytes = {
  readonly size: number;
  /** Returns fewer bytes than `length` only at the end of the file. */
  read(position: number, length: number): Buffer;
};

/** The same for the main thread, which must not block. */
export type ByteReader = {
  readonly size: number;
  read(position: number, length: number): Promise<Buffer>;
};

export type MediaFamily = 'image' | 'document' | 'text' | 'archive' | 'audio' | 'video';

type MediaRule = {
  /** A file without an extension gets the first one. */
  readonly extensions: readonly [string, ...string[]];
  readonly family: MediaFamily;
  /** Other names that clients use for the type, and for no type that is not proved as this one. */
  readonly aliases: readonly string[];
  /** Most browsers cannot show the type, so they should save the file, whatever its purpose says. */
  readonly isAlwaysAttached?: true;
  /** Names that clients use for the type, but for other formats as well. They agree with it, and claim nothing. Several types may share one. */
  readonly sharedNames?: readonly string[];
};

/** Clients call a video what contains only sound, and the other way round: the container is the same. */
const isoNames = list('video/3gpp video/3gpp2 audio/3gpp audio/3gpp2 application/mp4 audio/x-m4r');
const soundNames = list('audio/mp4 audio/m4a audio/x-m4a audio/m4b audio/x-m4b audio/x-mp4');
const excelNames = list(
  'application/vnd.ms-excel application/vnd.msexcel application/excel application/x-excel application/x-msexcel',
);
const zipNames = list('application/zip application/x-zip application/x-zip-compressed application/x-compressed');

/**
 * Every type that can be proved. Other modules map each of these types to its prover, its metadata removal and how it is served.
 * The names are those of browsers, of shared-mime-info, of Debian's and Apache's mime.types, of Python, Go, Android, Apple and .NET.
 */
export const mediaTypes = {
  'image/jpeg': {
    extensions: ['jpg', 'jpeg', 'jpe', 'jfif'],
    family: 'image',
    aliases: list('image/jpg image/pjpeg image/jpe image/jfif image/x-jpeg image/x-jpg image/x-citrix-jpeg'),
    sharedNames: ['image/mpo'],
  },
  'image/png': {
    extensions: ['png', 'apng'],
    family: 'image',
    aliases: ['image/x-png', 'image/apng', 'image/vnd.mozilla.apng', 'image/x-citrix-png'],
  },
  'image/webp': { extensions: ['webp'], family: 'image', aliases: ['image/x-webp'] },
  'image/gif': {
    extensions: ['gif'],
    family: 'image',
    aliases: ['image/x-gif', 'image/x-citrix-gif'],
  },
  'image/avif': {
    extensions: ['avif'],
    family: 'image',
    aliases: ['image/avif-sequence'],
    sharedNames: ['image/heif'],
  },
  'image/heic': {
    // HEIC is HEIF in HEVC. Cameras and programs give such files any of these names.
    extensions: ['heic', 'heif', 'hif'],
    family: 'image',
    aliases: ['image/heic-sequence', 'image/x-heic'],
    sharedNames: ['image/heif', 'image/heif-sequence', 'image/x-heif'],
    isAlwaysAttached: true,
  },
  'image/heif': {
    extensions: ['heif', 'hif', 'heic'],
    family: 'image',
    aliases: ['image/heif-sequence', 'image/x-heif'],
    sharedNames: ['image/heic', 'image/heic-sequence', 'image/x-heic'],
    isAlwaysAttached: true,
  },
  'application/pdf': {
    extensions: ['pdf'],
    family: 'document',
    aliases: list(
      'application/x-pdf application/acrobat application/nappdf application/vnd.pdf image/pdf text/pdf text/x-pdf',
    ),
  },
  'text/plain': {
    extensions: ['txt'],
    family: 'text',
    aliases: ['application/txt', 'application/text', 'application/x-txt'],
  },
  'text/csv': {
    extensions: ['csv'],
    family: 'text',
    aliases: list(
      'application/csv application/x-csv text/x-csv text/comma-separated-values text/x-comma-separated-values application/comma-separated-values',
    ),
    // What browsers on Windows send for .csv if Excel is installed.
    sharedNames: excelNames,
  },
  'application/vnd.openxmlformats-officedocument.wordprocessingml.document': {
    extensions: ['docx'],
    family: 'document',
    // With macros. A rule excludes such a document, and should be named instead of a contradiction.
    aliases: ['application/vnd.ms-word.document.macroenabled.12'],
    sharedNames: ['application/msword', 'application/vnd.ms-word', 'application/x-msword', ...zipNames],
  },
  'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet': {
    extensions: ['xlsx'],
    family: 'document',
    aliases: ['application/vnd.ms-excel.sheet.macroenabled.12'],
    sharedNames: [...excelNames, ...zipNames],
  },
  'application/vnd.oasis.opendocument.text': {
    extensions: ['odt'],
    family: 'document',
    aliases: ['application/x-vnd.oasis.opendocument.text'],
    sharedNames: [...zipNames],
  },
  'application/zip': {
    extensions: ['zip'],
    family: 'archive',
    aliases: ['application/x-zip-compressed', 'application/x-zip', 'application/zip-compressed', 'multipart/x-zip'],
    sharedNames: ['application/x-compressed', 'application/x-compress'],
  },
  'audio/mpeg': {
    extensions: ['mp3'],
    family: 'audio',
    aliases: list(
      'audio/mp3 audio/x-mpeg audio/x-mp3 audio/mpeg3 audio/x-mpeg-3 audio/x-mpeg3 audio/mpg audio/x-mpg audio/mpa-robust',
    ),
    sharedNames: ['audio/mpa'],
  },
  'audio/mp4': {
    extensions: ['m4a', 'm4b'],
    family: 'audio',
    aliases: ['audio/m4a', 'audio/x-m4a', 'audio/m4b', 'audio/x-m4b', 'audio/x-mp4', 'audio/mp4a-latm'],
    sharedNames: ['video/mp4', 'video/x-m4v', 'audio/aac', 'audio/x-aac', 'audio/aacp', 'video/quicktime', ...isoNames],
  },
  'audio/ogg': {
    extensions: ['ogg', 'oga', 'opus'],
    family: 'audio',
    aliases: list(
      'audio/x-ogg audio/opus audio/x-opus audio/vorbis audio/x-vorbis audio/x-vorbis+ogg audio/x-opus+ogg',
    ),
    sharedNames: ['application/ogg', 'application/x-ogg', 'video/ogg', 'video/x-ogg', 'audio/x-flac+ogg', 'audio/flac'],
  },
  'audio/wav': {
    extensions: ['wav', 'wave'],
    family: 'audio',
    aliases: ['audio/x-wav', 'audio/wave', 'audio/vnd.wave', 'audio/x-pn-wav', 'audio/x-pn-windows-acm'],
  },
  'video/mp4': {
    extensions: ['mp4', 'm4v', '3gp'],
    family: 'video',
    aliases: ['video/x-m4v', 'video/m4v', 'video/x-mp4', 'video/mp4v-es'],
    sharedNames: ['video/quicktime', ...soundNames, ...isoNames],
  },
  'video/quicktime': {
    extensions: ['mov', 'qt'],
    family: 'video',
    aliases: ['video/x-quicktime', 'image/mov'],
    sharedNames: ['video/mp4', 'video/x-m4v', ...soundNames, ...isoNames],
  },
  'video/webm': {
    extensions: ['webm', 'weba'],
    family: 'video',
    aliases: ['audio/webm', 'video/x-webm', 'audio/x-webm'],
    sharedNames: ['video/x-matroska', 'audio/x-matroska', 'video/matroska', 'audio/matroska', 'application/x-matroska'],
  },
} as const satisfies Record<string, MediaRule>;

export type MediaType = keyof typeof mediaTypes;

export function isMediaType(text: string): text is MediaType {
  return Object.hasOwn(mediaTypes, text);
}

export const mediaTypeNames: readonly MediaType[] = Object.keys(mediaTypes).filter(isMediaType);

/** Whether a client that declares this name may have a file of this type. A name may agree with several types. */
export function agrees(name: string, type: MediaType): boolean {
  const { sharedNames = [] }: MediaRule = mediaTypes[type];
  return isNameOf(name, type) || sharedNames.includes(name);
}

/** Whether the name is used for this type alone. */
export function isNameOf(name: string, type: MediaType): boolean {
  const { aliases }: MediaRule = mediaTypes[type];
  return name === type || aliases.includes(name);
}

/** For people: `JPG`, `DOCX`. */
export function shortNameOf(type: MediaType): string {
  return mediaTypes[type].extensions[0].toUpperCase();
}

export function isAlwaysAttached(type: MediaType): boolean {
  const rule: MediaRule = mediaTypes[type];
  return rule.isAlwaysAttached === true;
}

export function typesOf(...families: readonly MediaFamily[]): MediaType[] {
  return mediaTypeNames.filter((type) => families.includes(mediaTypes[type].family));
}

function list(names: string): readonly string[] {
  return names.split(' ');
}
