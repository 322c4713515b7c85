// What clients declare: the names that browsers, systems and libraries send for each type, and what they send without knowing a type.
import type { MediaType } from '#media/media-type';

const office = 'application/vnd.openxmlformats-officedocument';

export const declaredNames: readonly (readonly [type: MediaType, names: string])[] = [
  ['image/jpeg', 'image/jpeg image/jpg image/pjpeg image/jpe image/jfif image/x-jpeg image/x-citrix-jpeg'],
  ['image/png', 'image/png image/x-png image/apng image/vnd.mozilla.apng image/x-citrix-png'],
  ['image/webp', 'image/webp image/x-webp'],
  ['image/gif', 'image/gif image/x-gif image/x-citrix-gif'],
  ['image/avif', 'image/avif image/avif-sequence image/heif'],
  ['image/heic', 'image/heic image/heif image/heic-sequence image/heif-sequence image/x-heic'],
  ['application/pdf', 'application/pdf application/x-pdf application/acrobat application/nappdf image/pdf text/pdf'],
  ['text/plain', 'text/plain text/markdown text/x-log text/tab-separated-values text/x-python application/txt'],
  [
    'text/csv',
    'text/csv text/x-csv application/csv application/x-csv text/comma-separated-values text/x-comma-separated-values application/vnd.ms-excel application/x-msexcel',
  ],
  [`${office}.wordprocessingml.document`, `${office}.wordprocessingml.document application/msword application/zip`],
  [`${office}.spreadsheetml.sheet`, `${office}.spreadsheetml.sheet application/vnd.ms-excel application/zip`],
  [
    'application/vnd.oasis.opendocument.text',
    'application/vnd.oasis.opendocument.text application/x-vnd.oasis.opendocument.text application/zip',
  ],
  [
    'application/zip',
    'application/zip application/x-zip application/x-zip-compressed application/zip-compressed multipart/x-zip application/x-compressed',
  ],
  ['audio/mpeg', 'audio/mpeg audio/mp3 audio/x-mp3 audio/x-mpeg audio/mpeg3 audio/x-mpeg-3 audio/mpg audio/x-mpg'],
  [
    'audio/mp4',
    'audio/mp4 audio/m4a audio/x-m4a audio/x-m4b audio/x-m4r audio/mp4a-latm audio/aac video/mp4 video/x-m4v application/mp4 audio/3gpp video/3gpp video/quicktime',
  ],
  [
    'audio/ogg',
    'audio/ogg audio/x-ogg audio/opus audio/vorbis audio/x-vorbis audio/x-vorbis+ogg audio/x-opus+ogg application/ogg application/x-ogg video/ogg',
  ],
  ['audio/wav', 'audio/wav audio/x-wav audio/wave audio/vnd.wave audio/x-pn-wav'],
  [
    'video/mp4',
    'video/mp4 video/x-m4v video/m4v video/mp4v-es video/quicktime video/3gpp application/mp4 audio/mp4 audio/x-m4a audio/x-m4b',
  ],
  [
    'video/quicktime',
    'video/quicktime video/x-quicktime image/mov video/mp4 video/x-m4v video/3gpp application/mp4 audio/mp4 audio/x-m4a',
  ],
  ['video/webm', 'video/webm audio/webm video/x-matroska audio/x-matroska video/matroska'],
];

/** In every request form these leave the type to the bytes. */
export const silentTypes: readonly string[] = [
  '',
  '*/*',
  'image/*',
  'audio/*',
  'undefined',
  'null',
  '[object Object]',
  'image',
  'png',
  '.png',
  'image/',
  '/png',
  'image/png/x',
  'image png',
  'application/octet-stream',
  'binary/octet-stream',
  'application/x-download',
  'application/force-download',
  'application/x-www-form-urlencoded',
];
