// Reads one page of ListObjectsV2; a page that is not whole and well-formed is no page at all.

export type ListedObject = { readonly key: string; readonly size: number; readonly modifiedAt: number };
export type ListPage = { readonly objects: readonly ListedObject[]; readonly next: string | undefined };

/** Undefined when anything is missing: half a list would look like lost blobs. */
export function parseListPage(xml: string): ListPage | undefined {
  const result = /^\uFEFF?\s*(?:<\?xml[^>]*\?>\s*)?<ListBucketResult(?:\s[^>]*)?>(.*)<\/ListBucketResult>\s*$/s.exec(
    xml,
  );
  if (result === null) return undefined;
  const [, inside = ''] = result;
  const blocks = [...inside.matchAll(/<Contents>(.*?)<\/Contents>/gs)].map(([, block = '']) => block);
  const objects = blocks.map(parseObject).filter((object) => object !== undefined);
  const outside = inside.replace(/<Contents>.*?<\/Contents>/gs, '');
  const isTruncated = textOf(outside, 'IsTruncated');
  const next = textOf(outside, 'NextContinuationToken');
  const isWhole = objects.length === blocks.length && !/<\/?Contents>/.test(outside);
  if (!isWhole || (isTruncated !== 'true' && isTruncated !== 'false')) return undefined;
  if (isTruncated === 'true') return next ? { objects, next } : undefined;
  return { objects, next: undefined };
}

function parseObject(block: string): ListedObject | undefined {
  const key = textOf(block, 'Key');
  const size = textOf(block, 'Size');
  const modifiedAt = Date.parse(textOf(block, 'LastModified') ?? '');
  if (key === undefined || size === undefined || !/^\d{1,15}$/.test(size) || Number.isNaN(modifiedAt)) return undefined;
  return { key, size: Number(size), modifiedAt };
}

/** The text of the only element of that name. */
function textOf(xml: string, name: string): string | undefined {
  const found = [...xml.matchAll(new RegExp(`<${name}>([^<]*)</${name}>`, 'g'))];
  return found.length === 1 ? decodeEntities(found[0]?.[1] ?? '') : undefined;
}

const entities: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };

function decodeEntities(text: string): string {
  return text.replace(
    /&(?:#x([0-9a-f]{1,6})|#(\d{1,7})|([a-z]+));/gi,
    (whole, hex?: string, decimal?: string, name?: string) => {
      if (name !== undefined) return entities[name] ?? whole;
      const point = Number.parseInt(hex ?? decimal ?? '', hex === undefined ? 10 : 16);
      return point <= 0x10ffff ? String.fromCodePoint(point) : whole;
    },
  );
}
