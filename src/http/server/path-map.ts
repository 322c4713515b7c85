// Which methods stand at a path: what 405 and preflight answers need to know.

export type PathMap = {
  readonly add: (method: string | string[], pattern: string) => void;
  /** Empty where nothing stands. */
  readonly methodsAt: (path: string) => string[];
};

export function createPathMap(): PathMap {
  const fixed = new Map<string, Set<string>>();
  const patterns = new Map<string, { regexp: RegExp; methods: Set<string> }>();
  const methodsOf = (pattern: string): Set<string> => {
    if (!/[:*]/.test(pattern)) return keep(fixed, pattern, () => new Set<string>());
    return keep(patterns, pattern, () => ({ regexp: toRegExp(pattern), methods: new Set<string>() })).methods;
  };
  return {
    add: (method, pattern) => {
      for (const name of [method].flat()) methodsOf(pattern).add(name);
    },
    methodsAt: (path) => {
      const found = [...patterns.values()].filter(({ regexp }) => regexp.test(path)).map(({ methods }) => methods);
      return [...new Set([fixed.get(path) ?? [], ...found].flatMap((methods) => [...methods]))].sort();
    },
  };
}

/** The path as the router reads it: without origin and query, percent-decoded but for reserved characters. */
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
