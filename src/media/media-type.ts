// The media types that can be proved from a file's bytes, and the result of a proof.

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
  /** Other names that clients use for the type. */
  readonly aliases: readonly string[];
};

/** Every type that can be proved. Other modules map each of these types to its prover, its metadata removal and how it is served. */
export const mediaTypes = {
  'image/jpeg': { extensions: ['jpg', 'jpeg'], family: 'image', aliases: ['image/jpg', 'image/pjpeg'] },
  'image/png': { extensions: ['png'], family: 'image', aliases: ['image/x-png'] },
  'image/webp': { extensions: ['webp'], family: 'image', aliases: [] },
  'image/gif': { extensions: ['gif'], family: 'image', aliases: [] },
  'image/avif': { extensions: ['avif'], family: 'image', aliases: [] },
  'application/pdf': { extensions: ['pdf'], family: 'document', aliases: ['application/x-pdf'] },
  'text/plain': { extensions: ['txt'], family: 'text', aliases: [] },
  'text/csv': {
    extensions: ['csv'],
    family: 'text',
    aliases: ['application/csv', 'text/comma-separated-values', 'application/vnd.ms-excel'],
  },
  'application/vnd.openxmlformats-officedocument.wordprocessingml.document': {
    extensions: ['docx'],
    family: 'document',
    aliases: [],
  },
  'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet': {
    extensions: ['xlsx'],
    family: 'document',
    aliases: [],
  },
  'application/vnd.oasis.opendocument.text': { extensions: ['odt'], family: 'document', aliases: [] },
  'application/zip': {
    extensions: ['zip'],
    family: 'archive',
    aliases: ['application/x-zip-compressed', 'application/x-zip'],
  },
  'audio/mpeg': { extensions: ['mp3'], family: 'audio', aliases: ['audio/mp3', 'audio/x-mpeg', 'audio/x-mp3'] },
  'audio/mp4': { extensions: ['m4a'], family: 'audio', aliases: ['audio/m4a', 'audio/x-m4a', 'audio/aac'] },
  'audio/ogg': { extensions: ['ogg', 'oga', 'opus'], family: 'audio', aliases: ['audio/opus', 'application/ogg'] },
  'audio/wav': { extensions: ['wav'], family: 'audio', aliases: ['audio/x-wav', 'audio/wave', 'audio/vnd.wave'] },
  'video/mp4': { extensions: ['mp4'], family: 'video', aliases: [] },
  'video/webm': { extensions: ['webm'], family: 'video', aliases: [] },
} as const satisfies Record<string, MediaRule>;

export type MediaType = keyof typeof mediaTypes;

export function isMediaType(text: string): text is MediaType {
  return Object.hasOwn(mediaTypes, text);
}

export const mediaTypeNames: readonly MediaType[] = Object.keys(mediaTypes).filter(isMediaType);

export function typesOf(...families: readonly MediaFamily[]): MediaType[] {
  return mediaTypeNames.filter((type) => families.includes(mediaTypes[type].family));
}

export type Proof =
  /** The prover read the whole structure to the end of the file, and no bytes follow it. */
  | { readonly kind: 'proved'; readonly type: MediaType; readonly width?: number; readonly height?: number }
  /** The file begins like this type, but is broken, truncated, or followed by other data. `reason` is for the log. */
  | { readonly kind: 'corrupt'; readonly type: MediaType; readonly reason: string };

/** Returns undefined if the file does not begin like a type that this prover knows. */
export type Prover = (file: FileBytes) => Proof | undefined;

export function proved(type: MediaType, size?: { width: number; height: number }): Proof {
  return { kind: 'proved', type, ...size };
}

export function corrupt(type: MediaType, reason: string): Proof {
  return { kind: 'corrupt', type, reason };
}
