// Reads BRAND_NAME: what users see of the operator.
import type { Brand } from '../brand/brand.ts';
import type { EnvReader } from './env-reader.ts';

export function readBrand(reader: EnvReader): Brand {
  return {
    name: reader.parsed('BRAND_NAME', 'Gatehouse', parseBrandName, 'write at most 30 plain characters'),
    links: { terms: null, privacy: null, support: null },
  };
}

function parseBrandName(text: string): string | undefined {
  return text.length <= 30 && !/[\p{C}{}<>]/u.test(text) ? text : undefined;
}
