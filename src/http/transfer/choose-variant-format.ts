// Chooses the format of a variant by the Accept header. Every browser reads WebP; AVIF is for those who name it.
import type { VariantFormat } from '../../files/variants/variant.ts';

/** `image/*` and the like do not mean AVIF: programs without a decoder send them too. */
export function chooseVariantFormat(accept: string | undefined): VariantFormat {
  const avif = weightOf(accept, 'image/avif') ?? 0;
  return avif > 0 && avif >= (weightOf(accept, 'image/webp') ?? 0) ? 'avif' : 'webp';
}

/** Undefined if the type is not named. A weight that cannot be read counts as 0. */
function weightOf(accept: string | undefined, type: string): number | undefined {
  for (const entry of (accept ?? '').split(',')) {
    const [name = '', ...parameters] = entry.split(';').map((part) => part.trim().toLowerCase());
    if (name !== type) continue;
    const weight = parameters.find((parameter) => parameter.startsWith('q='))?.slice(2);
    if (weight === undefined) return 1;
    return /^(?:0(?:\.\d{0,3})?|1(?:\.0{0,3})?)$/.test(weight) ? Number(weight) : 0;
  }
  return undefined;
}
