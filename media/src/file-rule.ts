// The rules that exclude whole, undamaged files. A service that uses them has a text for each.

export const fileRules = [
  'macros',
  'encrypted-document',
  'document-form',
  'zip-links',
  'zip-entries',
  'zip-names',
  'zip-size',
  'zip-form',
  'sound-codec',
  'video-codec',
  'outside-data',
  'moving-picture',
  'hidden-file',
  'binary-text',
  'active-text',
] as const;

export type FileRule = (typeof fileRules)[number];
