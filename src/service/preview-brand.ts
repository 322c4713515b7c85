// Reads BRAND_FILE again for the preview of local mode. A file with problems is shown as such, and ends nothing.
import { readFileSync } from 'node:fs';
import { type Brand, noBrand } from '../brand/brand.ts';
import { describeProblem } from '../brand/parse-brand.ts';
import type { BrandNow } from '../brand/preview.ts';
import type { Config } from '../config/config.ts';
import { readBrandFile } from '../config/read-brand.ts';

export function previewBrand({ brand, publicUrl }: Pick<Config, 'brand' | 'publicUrl'>): BrandNow {
  const { file, name } = brand.source;
  const usual: Brand = name === undefined ? noBrand : { ...noBrand, name, isNamed: true };
  if (file === undefined) return { brand: usual, file: null, problems: [] };
  const result = readBrandFile(file, name, publicUrl, (path) => readFileSync(path, 'utf8'));
  if (result === undefined) return { brand: usual, file, problems: [`${file} cannot be read`] };
  if ('brand' in result) return { brand: result.brand, file, problems: [] };
  return { brand: usual, file, problems: result.problems.map(describeProblem) };
}
