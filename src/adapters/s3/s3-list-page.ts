// Parses one page of ListObjectsV2. It accepts only complete and well-formed pages.
import type { XmlElement } from '@rgrove/parse-xml';
import { childrenOf, nameOfElement, readXml, textOf } from './s3-xml.ts';

export type ListedObject = { readonly key: string; readonly size: number; readonly modifiedAt: number };
export type ListPage = { readonly objects: readonly ListedObject[]; readonly next: string | undefined };

/** Undefined if anything is missing, because half a list would look like lost blobs. */
export function parseListPage(xml: string): ListPage | undefined {
  const result = readXml(xml);
  if (result === undefined || nameOfElement(result) !== 'ListBucketResult') return undefined;
  const contents = childrenOf(result, 'Contents');
  // A server that does not know `encoding-type` sends keys as they are.
  const decode = textOf(result, 'EncodingType') === 'url' ? decodeKey : (key: string) => key;
  const objects = contents.map((one) => parseObject(one, decode)).filter((object) => object !== undefined);
  if (objects.length !== contents.length) return undefined;
  const isTruncated = textOf(result, 'IsTruncated');
  if (isTruncated === 'false') return { objects, next: undefined };
  const next = textOf(result, 'NextContinuationToken');
  return isTruncated === 'true' && next ? { objects, next } : undefined;
}

function parseObject(contents: XmlElement, decode: (key: string) => string | undefined): ListedObject | undefined {
  const text = textOf(contents, 'Key');
  const key = text === undefined ? undefined : decode(text);
  const size = textOf(contents, 'Size');
  const modifiedAt = Date.parse(textOf(contents, 'LastModified') ?? '');
  if (key === undefined || size === undefined || !/^\d{1,15}$/.test(size) || Number.isNaN(modifiedAt)) return undefined;
  return { key, size: Number(size), modifiedAt };
}

/** Undefined if the text is not percent-encoded UTF-8. S3 writes a space as a plus sign. */
function decodeKey(text: string): string | undefined {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '));
  } catch {
    return undefined;
  }
}
