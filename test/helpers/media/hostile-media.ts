// The hostile corpus of documents, archives, audio and video: each file, and why it is refused.
import { hostileArchives } from './hostile-media-archives.ts';
import { hostileDocuments } from './hostile-media-documents.ts';
import { hostileMp4 } from './hostile-media-mp4.ts';
import { hostileOffice } from './hostile-media-office.ts';
import { hostileSound } from './hostile-media-sound.ts';
import { hostileTexts } from './hostile-media-texts.ts';
import { hostileWebm } from './hostile-media-webm.ts';

export type HostileFile = {
  name: string;
  bytes: Buffer;
  /** What the reason of a corrupt proof says. `unknown`: no prover recognises it. */
  refusal: RegExp | 'unknown';
};

export function hostileMedia(): HostileFile[] {
  return [
    ...hostileTexts(),
    ...hostileDocuments(),
    ...hostileArchives(),
    ...hostileOffice(),
    ...hostileSound(),
    ...hostileMp4(),
    ...hostileWebm(),
  ];
}
