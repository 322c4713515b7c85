// The port that makes variants. Decoding and resizing must not delay requests, nor end the service if a picture is hostile.
import type { UserId } from '../../kernel/ids.ts';
import type { LocalCopy } from '../storage/blob-store.ts';
import type { VariantFormat } from './variant.ts';

export type VariantOrder = {
  /** As written in the purpose. */
  readonly size: string;
  readonly format: VariantFormat;
  readonly maxPixels: number;
  /** Of the picture. The more, the longer it takes. */
  readonly pixels: number;
};

/** Whose picture it is, and who asks for it. Both take turns: many links do not help the one, nor many strange pictures the other. */
export type VariantParties = { readonly owner: UserId; readonly caller: string };

export type VariantMaker = {
  /**
   * Undefined if no variant can be made of this picture, or by this installation. Takes the pictures of different users in turn,
   * and opens each one when its turn has come. Throws SERVICE_UNAVAILABLE if too many wait, if the turn does not come in time, or if
   * the signal is aborted before it comes; and what `open` throws.
   */
  make(
    parties: VariantParties,
    order: VariantOrder,
    open: () => Promise<LocalCopy>,
    signal: AbortSignal,
  ): Promise<Buffer | undefined>;
  /** Somebody else waits for the picture of this signal too. It must not come later than if they had asked for it alone. */
  join(parties: VariantParties, signal: AbortSignal): void;
};
