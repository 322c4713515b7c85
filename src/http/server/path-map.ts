// What the server must know about a path before routing, and for 405 and preflight answers.

export type PathMap = {
  readonly add: (method: string | string[], pattern: string, rules?: PathRules) => void;
  /** Empty if the path has no route. */
  readonly methodsAt: (path: string) => string[];
  /** Compares the whole URL: a probe sends no query. */
  readonly isUnlimited: (url: string) => boolean;
  /** True if the URL belongs to a route whose id may be any text. */
  readonly takesAnyId: (url: string) => boolean;
};

type PathRules = { readonly isUnlimited?: boolean; readonly takesAnyId?: boolean };

export function createPathMap(): PathMap {
  const fixed = new Map<string, Set<string>>();
  const patterns = new Map<string, { regexp: RegExp; methods: Set<string> }>();
  const unlimited = new Set<string>();
  const beforeIds = new Set<string>();
  const methodsOf = (pattern: string): Set<string> => {
    if (!/[:*]/.test(pattern)) return keep(fixed, pattern, () => new Set<string>());
    return keep(patterns, pattern, () => ({ regexp: toRegExp(pattern), methods: new Set<string>() })).methods;
  };
  return {
    add: (method, pattern, rules) => {
      for (const name of [method].flat()) methodsOf(pattern).add(name);
      if (rules?.isUnlimited === true) unlimited.add(pattern);
      if (rules?.takesAnyId === true) beforeIds.add(pattern.slice(0, pattern.indexOf(':')));
    },
    isUnlimited: (url) => unlimited.has(url),
    takesAnyId: (url) => beforeIds.values().some((start) => url.startsWith(start)),
    methodsAt: (path) => {
      const found = [...patterns.values()].filter(({ regexp }) => regexp.test(path)).map(({ methods }) => methods);
      return [...new Set([fixed.get(path) ?? [], ...found].flatMap((methods) => [...methods]))].sort();
    },
  };
}

/** The path as the router reads it: without origin and query, percent-decoded except for reserved characters. */
export function pathOf(url: string): string {
  const [path = ''] = url.replace(/^https?:\/\/[^/?#]*/i, '').split(/[?#]/, 1);
  try {
    return decodeURI(path);
  } catch {
    return path;
  }
}

function keep<T>(map: Map<string, T>, key: string, make: () => T): T {
  const known = map.get(key) ?? make();
  map.set(key, known);
  return known;
}

function toRegExp(pattern: string): RegExp {
  const source = pattern
    .split('/')
    .map((part) =>
      part.startsWith(':') ? '[^/]+' : part === '*' ? '.*' : part.replaceAll(/[.+?^${}()|[\]\\]/g, '\\$&'),
    )
    .join('/');
  return new RegExp(`^${source}$`);
}
