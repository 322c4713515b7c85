// The OpenAPI document of a running service, with what its components hold put back into each operation.

type Json = { readonly [key: string]: unknown };

/** The document as it is sent. */
async function fetchOpenApi(url: string): Promise<Json> {
  return (await (await fetch(`${url}/openapi.json`)).json()) as Json;
}

/** Everything but references to schemas in its place, and with each operation its credentials. */
export function resolveOpenApi<Paths>(document: Json): Paths {
  const { security } = document;
  const paths = Object.entries(resolve(document.paths, document) as Record<string, Json>).map(([path, methods]) => [
    path,
    Object.fromEntries(Object.entries(methods).map(([method, own]) => [method, { security, ...(own as Json) }])),
  ]);
  return Object.fromEntries(paths) as Paths;
}

/** The operations of the route tables: none of another protocol, no probe, and each method once. */
export async function fetchTableOperations<Operation>(url: string): Promise<Record<string, Record<string, Operation>>> {
  type Paths = Record<string, Record<string, Operation & { tags: string[] }>>;
  const paths = Object.entries(resolveOpenApi<Paths>(await fetchOpenApi(url)));
  const kept = paths.map(([path, methods]) => {
    const own = Object.entries(methods).filter(
      ([method, { tags }]) =>
        !['head', 'options'].includes(method) && !tags.includes('apps') && !tags.includes('service'),
    );
    return [path, Object.fromEntries(own)] as const;
  });
  return Object.fromEntries(kept.filter(([, methods]) => Object.keys(methods).length > 0));
}

function resolve(value: unknown, document: Json): unknown {
  if (Array.isArray(value)) return value.map((part) => resolve(part, document));
  if (value === null || typeof value !== 'object') return value;
  const { $ref } = value as { $ref?: string };
  if ($ref !== undefined && !$ref.startsWith('#/components/schemas/')) {
    const target = $ref
      .slice(2)
      .split('/')
      .reduce<unknown>((part, name) => (part as Json)[name], document);
    return resolve(target, document);
  }
  return Object.fromEntries(Object.entries(value).map(([key, part]) => [key, resolve(part, document)]));
}
