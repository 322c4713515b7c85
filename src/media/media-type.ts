// What a file is, proved from its bytes: the types that can be proved, and what a proof says.

/** Random access to a file that does not change; a proof reads it in pieces and never whole, in a thread where waiting holds nobody up. */
export type FileBytes = {
  readonly size: number;
  /** Fewer bytes than asked for only at the end of the file. */
  read(position: number, length: number): Buffer;
};

/** The same for the main thread, which must not wait. */
export type ByteReader = {
  readonly size: number;
  read(position: number, length: number): Promise<Buffer>;
};

export type MediaFamily = 'image' | 'document' | 'text' | 'archive' | 'audio' | 'video';

type MediaRule = {
  /** The first is given to a file without one. */
  readonly extensions: readonly [string, ...string[]];
  readonly family: MediaFamily;
  /** Other names under which clients know the type. */
  readonly aliases: readonly string[];
};

/** Every type that can be proved. Its prover, the removal of its metadata and the way it is served are records over these. */
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
  /** The whole structure was walked to the end of the file, and nothing follows it. */
  | { readonly kind: 'proved'; readonly type: MediaType; readonly width?: number; readonly height?: number }
  /** It begins like this type, but is broken, cut short, or followed by other data. `reason` is for the log. */
  | { readonly kind: 'corrupt'; readonly type: MediaType; readonly reason: string };

/** Undefined: the file does not begin like what this prover knows. */
export type Prover = (file: FileBytes) => Proof | undefined;

export function proved(type: MediaType, size?: { width: number; height: number }): Proof {
  return { kind: 'proved', type, ...size };
}

export function corrupt(type: MediaType, reason: string): Proof {
  return { kind: 'corrupt', type, reason };
}
