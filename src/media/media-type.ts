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

export const mediaTypes = {
  'image/jpeg': { extensions: ['jpg', 'jpeg'], family: 'image' },
  'image/png': { extensions: ['png'], family: 'image' },
  'image/webp': { extensions: ['webp'], family: 'image' },
  'image/gif': { extensions: ['gif'], family: 'image' },
  'image/avif': { extensions: ['avif'], family: 'image' },
  'application/pdf': { extensions: ['pdf'], family: 'document' },
  'text/plain': { extensions: ['txt'], family: 'text' },
  'text/csv': { extensions: ['csv'], family: 'text' },
  'application/vnd.openxmlformats-officedocument.wordprocessingml.document': {
    extensions: ['docx'],
    family: 'document',
  },
  'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet': { extensions: ['xlsx'], family: 'document' },
  'application/vnd.oasis.opendocument.text': { extensions: ['odt'], family: 'document' },
  'application/zip': { extensions: ['zip'], family: 'archive' },
  'audio/mpeg': { extensions: ['mp3'], family: 'audio' },
  'audio/mp4': { extensions: ['m4a'], family: 'audio' },
  'audio/ogg': { extensions: ['ogg', 'oga', 'opus'], family: 'audio' },
  'audio/wav': { extensions: ['wav'], family: 'audio' },
  'video/mp4': { extensions: ['mp4'], family: 'video' },
  'video/webm': { extensions: ['webm'], family: 'video' },
} as const satisfies Record<string, { extensions: readonly string[]; family: string }>;

export type MediaType = keyof typeof mediaTypes;

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
