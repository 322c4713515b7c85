// Use case: find a variant of a file that the caller has opened. Whatever is missing, the error is that of an unknown file.
import { Failure } from '../../kernel/failure.ts';
import type { FileDeps } from '../deps.ts';
import type { StoredFile } from '../stored-file.ts';
import { findVariantSource, type VariantFormat, type VariantSource } from './variant.ts';
import type { Variants } from './variants.ts';

type Deps = Pick<FileDeps, 'purposes'> & { readonly variants: Variants };

type OpenedVariant = VariantSource & {
  /** Makes the variant if it is not there yet. */
  read(signal: AbortSignal): Promise<Buffer>;
};

type VariantWish = {
  readonly file: StoredFile;
  readonly name: string;
  readonly format: VariantFormat;
  /** The user or the service key that asks. For a link, the owner of the file. */
  readonly caller: string;
};

export function openVariant(deps: Deps, { file, name, format, caller }: VariantWish): OpenedVariant {
  const purpose = deps.purposes.find((each) => each.name === file.purpose);
  const source = findVariantSource(file, purpose, { name, format });
  if (source === undefined) throw new Failure('FILE_NOT_FOUND');
  return {
    ...source,
    read: async (signal) => {
      const bytes = await deps.variants.get(source, caller, signal);
      if (bytes === undefined) throw new Failure('FILE_NOT_FOUND');
      return bytes;
    },
  };
}
