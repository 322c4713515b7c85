// Finds the route of a request: paths without parameters in a map, the others by their segments. Knows the methods of every path.
import type { HttpRoute } from './request.ts';
import type { Target } from './target.ts';

type Found = { readonly route: HttpRoute; readonly params: Readonly<Record<string, string>> };

export type Router = {
  add(route: HttpRoute): void;
  /** Undefined if no route has this method and path. */
  find(method: string, target: Target): Found | undefined;
  /** Empty if the path has no route. */
  methodsAt(path: string): string[];
  has(method: string, pattern: string): boolean;
  /** Compares the whole URL: a probe sends no query. */
  isUnlimited(url: string): boolean;
  /** True if the path belongs to a route whose id may be any text. */
  takesAnyId(path: string): boolean;
};

type Pattern = {
  /** Undefined where the pattern has a parameter. */
  readonly segments: readonly (string | undefined)[];
  readonly names: readonly string[];
  readonly routes: Map<string, HttpRoute>;
};

const noParams = Object.freeze({});

export function createRouter(): Router {
  const fixed = new Map<string, Map<string, Found>>();
  const patterns = new Map<string, Pattern>();
  /** By the number of segments, those with the longest fixed beginning first. */
  const byLength = new Map<number, Pattern[]>();
  const unlimited = new Set<string>();
  const beforeIds = new Set<string>();

  const addPattern = (route: HttpRoute) => {
    const known = patterns.get(route.path);
    const pattern = known ?? toPattern(route.path);
    pattern.routes.set(route.method, route);
    if (known !== undefined) return;
    patterns.set(route.path, pattern);
    const { length } = pattern.segments;
    byLength.set(length, [...(byLength.get(length) ?? []), pattern].sort(byFixedBeginning));
  };
  const findPattern = (method: string, path: string): Found | undefined => {
    for (const { segments, names, routes } of byLength.get(countSegments(path)) ?? []) {
      const values = matchPath(path, segments);
      const route = values && routes.get(method);
      if (values === undefined || route === undefined) continue;
      const params: Record<string, string> = {};
      for (const [at, name] of names.entries()) params[name] = values[at] ?? '';
      return { route, params };
    }
    return undefined;
  };
  return {
    add: (route) => {
      const { method, path, rules } = route;
      if (path.includes(':')) addPattern(route);
      else {
        const routes = fixed.get(path) ?? new Map<string, Found>();
        fixed.set(path, routes.set(method, { route, params: noParams }));
      }
      if (rules.isUnlimited === true) unlimited.add(path);
      if (rules.takesAnyId === true) beforeIds.add(path.slice(0, path.indexOf(':')));
    },
    find: (method, { path }) => fixed.get(path)?.get(method) ?? findPattern(method, path),
    methodsAt: (path) => {
      const segments = path.split('/');
      const found = (byLength.get(segments.length) ?? []).filter(
        ({ segments: wanted }) =>
          fits(wanted, segments) && segments.every((segment, index) => index === 0 || segment !== ''),
      );
      const all = [...(fixed.get(path)?.keys() ?? []), ...found.flatMap(({ routes }) => [...routes.keys()])];
      return [...new Set(all)].sort();
    },
    has: (method, pattern) => (fixed.get(pattern) ?? patterns.get(pattern)?.routes)?.has(method) === true,
    isUnlimited: (url) => unlimited.has(url),
    takesAnyId: (path) => beforeIds.values().some((start) => path.startsWith(start)),
  };
}

function toPattern(path: string): Pattern {
  const parts = path.split('/');
  return {
    segments: parts.map((part) => (part.startsWith(':') ? undefined : part)),
    names: parts.filter((part) => part.startsWith(':')).map((part) => part.slice(1)),
    routes: new Map(),
  };
}

function byFixedBeginning(one: Pattern, other: Pattern): number {
  const at = one.segments.findIndex(
    (segment, index) => (segment === undefined) !== (other.segments[index] === undefined),
  );
  return at === -1 ? 0 : one.segments[at] === undefined ? 1 : -1;
}

function fits(wanted: readonly (string | undefined)[], segments: readonly string[]): boolean {
  for (let at = 0; at < wanted.length; at += 1)
    if (wanted[at] !== undefined && wanted[at] !== segments[at]) return false;
  return true;
}

function countSegments(path: string): number {
  let count = 1;
  for (let at = path.indexOf('/'); at !== -1; at = path.indexOf('/', at + 1)) count += 1;
  return count;
}

/** The values of the parameters; undefined if the path is another. It has as many segments as are wanted. */
function matchPath(path: string, wanted: readonly (string | undefined)[]): string[] | undefined {
  const values: string[] = [];
  let start = 0;
  for (const expected of wanted) {
    const slash = path.indexOf('/', start);
    const end = slash === -1 ? path.length : slash;
    if (expected === undefined) values.push(path.slice(start, end));
    else if (end - start !== expected.length || !path.startsWith(expected, start)) return undefined;
    start = end + 1;
  }
  return values;
}
