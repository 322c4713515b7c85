// The kept set of real files: what a client says about each, and what the service must make of it. make-kept-set.ts made them.
import { readFileSync } from 'node:fs';

type KeptFile = {
  readonly name: string;
  /** As a browser or an app declares it. */
  readonly declared: string;
  readonly type: string;
  /** What is stored: the bytes as sent, without metadata, or only up to the end of the picture. */
  readonly stored: 'as sent' | 'without metadata' | 'cut';
};

const docx = 'application/vnd.openxmlformats-officedocument.wordprocessingml.document';
const xlsx = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet';
const odt = 'application/vnd.oasis.opendocument.text';

const rows = [
  ['phone.jpg', 'image/jpeg', 'image/jpeg', 'without metadata'],
  ['samsung.jpg', 'image/jpeg', 'image/jpeg', 'cut'],
  ['motion-photo.jpg', 'image/jpeg', 'image/jpeg', 'cut'],
  ['stereo-camera.jpg', 'image/jpeg', 'image/jpeg', 'cut'],
  ['stray-byte.jpg', 'image/jpeg', 'image/jpeg', 'cut'],
  ['cmyk-progressive.jpg', 'image/jpeg', 'image/jpeg', 'as sent'],
  ['phone.png', 'image/png', 'image/png', 'without metadata'],
  ['animated.png', 'image/apng', 'image/png', 'as sent'],
  ['animated.gif', 'image/gif', 'image/gif', 'as sent'],
  ['phone.webp', 'image/webp', 'image/webp', 'without metadata'],
  ['iphone.heic', 'image/heic', 'image/heic', 'without metadata'],
  ['phone.avif', 'image/avif', 'image/avif', 'without metadata'],
  ['excel.csv', 'application/vnd.ms-excel', 'text/csv', 'as sent'],
  ['excel-utf-8.csv', 'text/csv', 'text/csv', 'as sent'],
  ['excel-unicode.txt', 'text/plain', 'text/plain', 'as sent'],
  ['notepad-russian.txt', 'text/plain', 'text/plain', 'as sent'],
  ['cut.mp3', 'audio/mpeg', 'audio/mpeg', 'as sent'],
  ['ape-id3v1.mp3', 'audio/mp3', 'audio/mpeg', 'as sent'],
  ['cover.mp3', 'audio/mpeg', 'audio/mpeg', 'as sent'],
  ['pipe.wav', 'audio/wav', 'audio/wav', 'as sent'],
  ['voice-memo.m4a', 'audio/x-m4a', 'audio/mp4', 'as sent'],
  ['voice-message.ogg', 'audio/ogg', 'audio/ogg', 'as sent'],
  ['sound-only.mp4', 'video/mp4', 'audio/mp4', 'as sent'],
  ['android.mp4', 'video/mp4', 'video/mp4', 'as sent'],
  ['fragmented.mp4', 'video/mp4', 'video/mp4', 'as sent'],
  ['iphone.mov', 'video/quicktime', 'video/quicktime', 'as sent'],
  ['subtitles.webm', 'video/webm', 'video/webm', 'as sent'],
  ['media-recorder.webm', 'video/webm;codecs=vp8,opus', 'video/webm', 'as sent'],
  ['media-recorder-sound.webm', 'audio/webm;codecs=opus', 'video/webm', 'as sent'],
  ['zeros-behind.pdf', 'application/pdf', 'application/pdf', 'as sent'],
  ['word.docx', docx, docx, 'as sent'],
  ['libreoffice.docx', docx, docx, 'as sent'],
  ['excel.xlsx', xlsx, xlsx, 'as sent'],
  ['libreoffice.xlsx', xlsx, xlsx, 'as sent'],
  ['libreoffice.odt', odt, odt, 'as sent'],
  ['macos.zip', 'application/zip', 'application/zip', 'as sent'],
  ['windows.zip', 'application/x-zip-compressed', 'application/zip', 'as sent'],
] as const;

export const keptFiles: readonly KeptFile[] = rows.map(([name, declared, type, stored]) => ({
  name,
  declared,
  type,
  stored,
}));

/** What the tags of the pictures say about place, device and owner. */
export const keptSecrets = ['Secret', 'Phone', 'GPS'] as const;

export const keptFolder = new URL('../../fixtures/real-files/', import.meta.url);

export function readKept(name: string): Buffer {
  return readFileSync(new URL(name, keptFolder));
}
