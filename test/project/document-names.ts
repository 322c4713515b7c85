// The names that a document shows as code, and those of them that the code does not have.
import { settingNames, settings } from '../../src/config/settings.ts';

/** Every name that a document may use, from the tables of the code. */
export type KnownNames = {
  /** Kinds of events. */
  readonly events: ReadonlySet<string>;
  /** Other names with one dot. */
  readonly dotted: ReadonlySet<string>;
  /** The labels of every metric, by its name with and without prefix, and the values of each label if they are a closed list. */
  readonly metrics: ReadonlyMap<string, Labels>;
  /** Names with underscores in lower case: tables, columns. */
  readonly lower: ReadonlySet<string>;
  /** Settings, error codes, variables of the environment. */
  readonly upper: ReadonlySet<string>;
  readonly commands: ReadonlySet<string>;
  readonly options: ReadonlySet<string>;
  /** Method and path, with `:name` for a parameter. */
  readonly routes: readonly string[];
  readonly isFile: (path: string) => boolean;
};

export type Labels = Readonly<Record<string, readonly string[] | string>>;

/** The setting, or its form that names a file. */
export const settingForms: readonly string[] = settingNames.flatMap((name) =>
  'secret' in settings[name] ? [name, `${name}_FILE`] : [name],
);

/** What a reader would look for in vain, each name once. */
export function unknownNames(markdown: string, known: KnownNames): string[] {
  const spans = [...withoutBlocks(markdown).matchAll(/`([^`\n]+)`/g)].map(([, span = '']) => span);
  const blocks = [...markdown.matchAll(/```\w*\n([\s\S]*?)```/g)].map(([, block = '']) => block);
  const code = [...spans, ...blocks].join('\n');
  const found = [
    ...unknownEvents(spans, code, known),
    ...unknownMetrics(markdown, known),
    ...matches(spans, /^[a-z]+(?:_[a-z\d]+)+$/).filter((name) => !known.lower.has(name) && !known.metrics.has(name)),
    ...unknownUpper(markdown, known),
    ...unknownCommands(spans, known),
    ...unknownRoutes(code, known),
    ...unknownFiles(code, known),
  ];
  return [...new Set(found)];
}

/** For files of a deployment: they have no markup. */
export function unknownInText(text: string, known: KnownNames): string[] {
  return [...new Set([...unknownMetrics(text, known), ...unknownUpper(text, known), ...unknownRoutes(text, known)])];
}

function withoutBlocks(markdown: string): string {
  return markdown.replaceAll(/```[\s\S]*?```/g, '');
}

function matches(texts: readonly string[], pattern: RegExp): string[] {
  return texts.flatMap((text) => pattern.exec(text)?.[0] ?? []);
}

/** A span `word.word`, and in any code a word with a dot whose first part is that of an event: `audit tail --kind otp.failed`. */
function unknownEvents(spans: readonly string[], code: string, { events, dotted, isFile }: KnownNames): string[] {
  const nouns = new Set([...events].map((name) => name.split('.')[0]));
  const inCode = [...code.matchAll(/(?<![\w./@-])([a-z]+)\.[a-z][\w-]*(?![\w.(/-])/g)].flatMap(([name, noun = '']) =>
    nouns.has(noun) ? [name] : [],
  );
  const named = [...matches(spans, /^[a-z]+\.[a-z][a-z_-]*$/), ...inCode];
  return named.filter((name) => !events.has(name) && !dotted.has(name) && !isFile(name));
}

/** A metric with the prefix anywhere, and the labels and values behind the name of any metric. */
function unknownMetrics(text: string, { metrics }: KnownNames): string[] {
  const named = [...text.matchAll(/\bgatehouse_\w*[a-z]/g)].map(([name]) => name);
  const selected = [...text.matchAll(/\b([a-z]+(?:_[a-z]+)*)\{([^{}\n]*=[^{}\n]*)\}/g)].flatMap(
    ([, name = '', selectors = '']) => {
      const labels = metrics.get(name);
      return labels === undefined ? [] : unknownLabels(name, labels, selectors.replaceAll('\\"', '"'));
    },
  );
  return [...named.filter((name) => !metrics.has(name)), ...selected];
}

function unknownLabels(metric: string, labels: Labels, selectors: string): string[] {
  return [...selectors.matchAll(/(\w+)(=~|!~|!=|=)"([^"]*)"/g)].flatMap(
    ([selector, label = '', operator, value = '']) => {
      const values = labels[label];
      if (values === undefined) return [`${metric}{${selector}}`];
      if (typeof values === 'string') return [];
      const wanted = operator?.includes('~') === true ? value.split('|') : [value];
      return wanted.every((word) => values.includes(word) || /[.*+$]/.test(word)) ? [] : [`${metric}{${selector}}`];
    },
  );
}

function unknownUpper(text: string, { upper }: KnownNames): string[] {
  return [...text.matchAll(/(?<![\w./-])[A-Z][A-Z\d]*(?:_[A-Z\d]+)+(?!\w)/g)]
    .map(([name]) => name)
    .filter((name) => !upper.has(name));
}

/** Commands without the word “gatehouse”, and options alone. Whole command lines are checked with the links of the documents. */
function unknownCommands(spans: readonly string[], { commands, options }: KnownNames): string[] {
  const groups = new Set([...commands].flatMap((name) => (name.includes(' ') ? [name.split(' ')[0]] : [])));
  const named = spans.flatMap((span) => {
    const [, name = '', group] = /^(([a-z]+) [a-z-]+)(?= |$)/.exec(span) ?? [];
    return groups.has(group) ? [name] : [];
  });
  return [
    ...named.filter((name) => !commands.has(name)),
    ...matches(spans, /^--[a-z-]+/).filter((option) => !options.has(option)),
  ];
}

/** A path of the API, with its method if it has one. A path may end before its parameters: `/api/admin/users`. */
function unknownRoutes(code: string, { routes }: KnownNames): string[] {
  const pattern = /(?:\b(GET|HEAD|POST|PUT|PATCH|DELETE) )?(?<![\w.*-])(\/(?:api|file)\/[\w{}$:/-]*[\w}])/g;
  return [...code.matchAll(pattern)].flatMap(([, method, path = '']) => {
    const isKnown = routes.some((route) => {
      const [routeMethod = '', routePath = ''] = route.split(' ');
      if (method === undefined) return isPath(path, routePath, true);
      return routeMethod === method.replace('HEAD', 'GET') && isPath(path, routePath, false);
    });
    return isKnown ? [] : [method === undefined ? path : `${method} ${path}`];
  });
}

function isPath(path: string, routePath: string, mayEndEarly: boolean): boolean {
  const parts = path.split('/');
  const wanted = routePath.split('/');
  if (mayEndEarly ? parts.length > wanted.length : parts.length !== wanted.length) return false;
  return parts.every((part, at) => wanted[at] === part || wanted[at]?.startsWith(':') === true);
}

function unknownFiles(code: string, { isFile }: KnownNames): string[] {
  const pattern =
    /(?<![\w./-])(?:src|test|scripts|deploy|web|site|client|media|locales|docs|bench)\/[\w./-]*[\w/](?![\w*…])/g;
  return [...code.matchAll(pattern)].map(([path]) => path).filter((path) => !isFile(path));
}
