// The operations of the interface as a running service lists them in its OpenAPI document.
import { fetchTableOperations } from '../../helpers/services/openapi-document.ts';

type Operation = {
  readonly path: string;
  readonly methods: string[];
  readonly secured: ReadonlyMap<string, string[]>;
};

/** The operations as the service lists them, with a value for each parameter. */
export async function operations(url: string): Promise<Operation[]> {
  const paths = await fetchTableOperations<{ security?: Record<string, unknown>[] }>(url);
  return Object.entries(paths).map(([path, byMethod]) => ({
    path: path.replaceAll(/\{\w+\}/g, 'x'),
    methods: Object.keys(byMethod).map((method) => method.toUpperCase()),
    secured: new Map(
      Object.entries(byMethod).map(([method, { security = [] }]) => [
        method.toUpperCase(),
        security.flatMap(Object.keys),
      ]),
    ),
  }));
}

/** Operations that change something and take a cookie for authentication. */
export async function changingByCookie(
  url: string,
): Promise<{ line: string; isRefresh: boolean; isOfBrowser: boolean }[]> {
  return (await operations(url)).flatMap(({ path, methods, secured }) =>
    methods
      .filter((method) => !['GET', 'HEAD'].includes(method))
      .filter((method) => secured.get(method)?.some((scheme) => scheme.endsWith('Cookie')))
      .map((method) => ({
        line: `${method} ${path}`,
        isRefresh: secured.get(method)?.includes('refreshTokenCookie') === true,
        isOfBrowser: secured.get(method)?.includes('browserSession') === true,
      })),
  );
}
