// Reads BRAND_NAME and BRAND_FILE: what users see of the operator.
import { type Brand, noBrand, parseBrandName } from '../brand/brand.ts';
import { describeProblem, type ParsedBrand, parseBrand } from '../brand/parse-brand.ts';
import type { EnvReader } from './env-reader.ts';
import { readLogoBeside } from './read-apps.ts';

export type BrandConfig = Brand & {
  /** The path of the file, and the name of the setting, so that the preview of local mode can read the file again. */
  readonly source: { readonly file: string | undefined; readonly name: string | undefined };
};

/** Reports every problem in the file as a problem of the setting. */
export function readBrand(reader: EnvReader, publicUrl: string): BrandConfig {
  const name = reader.parsed('BRAND_NAME', undefined, parseBrandName, 'write at most 30 plain characters');
  const file = reader.text('BRAND_FILE');
  const source = { file, name };
  const named = { ...noBrand, ...(name !== undefined && { name, isNamed: true }), source };
  if (file === undefined) return named;
  const result = readBrandFile(file, name, publicUrl, reader.readFile);
  if (result === undefined) {
    reader.report('BRAND_FILE', 'names a file that cannot be read', 'check the path and its permissions');
    return named;
  }
  if ('brand' in result) return { ...result.brand, source };
  for (const problem of result.problems) reader.report('BRAND_FILE', 'is invalid', describeProblem(problem));
  return named;
}

/** Undefined if the file cannot be read. */
export function readBrandFile(
  file: string,
  name: string | undefined,
  publicUrl: string,
  readFile: (path: string) => string,
): ParsedBrand | undefined {
  let text: string;
  try {
    text = readFile(file);
  } catch {
    return undefined;
  }
  return parseBrand(text, { name, publicUrl, readBeside: readLogoBeside(file) });
}
