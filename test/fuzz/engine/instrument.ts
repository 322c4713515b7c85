// Rewrites JavaScript so that every branch counts itself, loops and calls count as work, and comparisons can be logged.
import { parse } from 'acorn';
import { countBranches, newBranch, newPlace, type probes } from './probes.ts';

type SyntaxNode = { type: string; start: number; end: number; [key: string]: unknown };
type Render = (node: SyntaxNode) => string;

/** Texts and numbers in a source: what the code compares with is often among them. They matter once one of its branches is reached. */
export type Literals = {
  readonly firstBranch: number;
  readonly endBranch: number;
  readonly values: readonly (string | number)[];
};

type Instrumented = {
  readonly code: string;
  readonly literals: Literals;
};

const comparisons: Readonly<Record<string, keyof typeof probes>> = {
  '===': 'same',
  '!==': 'differs',
  '<': 'less',
  '<=': 'lessOrSame',
  '>': 'more',
  '>=': 'moreOrSame',
};
const lookUps = new Set(['has', 'get', 'includes', 'startsWith', 'endsWith', 'equals', 'indexOf', 'lastIndexOf']);
const logicalAssignments = new Set(['&&=', '||=', '??=']);
const functions = new Set(['FunctionDeclaration', 'FunctionExpression', 'ArrowFunctionExpression']);
const loops = new Set(['ForStatement', 'ForInStatement', 'ForOfStatement', 'WhileStatement', 'DoWhileStatement']);
/** Words in a regular expression that are worth trying. */
const words = /[A-Za-z%#!][\w%/-]{2,}/g;

/** All on the first line, so that line numbers stay right. */
const preamble = 'const $probes = globalThis.fuzzProbes, $hits = $probes.hits, $work = $probes.work;';

export function instrument(source: string, sourceType: 'module' | 'script'): Instrumented {
  const firstBranch = countBranches();
  const values = new Set<string | number>();
  const tree = parse(source, {
    ecmaVersion: 'latest',
    sourceType,
    allowReturnOutsideFunction: true,
    allowHashBang: true,
  }) as unknown as SyntaxNode;
  const wraps = new Map<SyntaxNode, (text: string) => string>();

  const render: Render = (node) => {
    // The path of a module is no text that the code compares with, and has no branch.
    if (node.type === 'ImportDeclaration') return source.slice(node.start, node.end);
    collect(node);
    plan(node);
    const text = rewritten(node) ?? rendered(node);
    return wraps.get(node)?.(text) ?? text;
  };

  function rendered(node: SyntaxNode): string {
    let text = '';
    let at = node.start;
    for (const child of childrenOf(node)) {
      text += source.slice(at, child.start) + render(child);
      at = child.end;
    }
    return text + source.slice(at, node.end);
  }

  function collect({ type, value, regex }: SyntaxNode): void {
    if (type !== 'Literal') return;
    if (regex !== undefined)
      for (const word of String((regex as { pattern: string }).pattern).match(words) ?? []) values.add(word);
    else if (typeof value === 'string' && value.length >= 2 && value.length <= 64) values.add(value);
    else if (typeof value === 'number' && Number.isInteger(value) && value > 1) values.add(value);
  }

  /** Says how the branches of this node are wrapped, before they are rendered. */
  function plan(node: SyntaxNode): void {
    const child = (key: string) => node[key] as SyntaxNode;
    if (node.type === 'IfStatement') {
      wraps.set(child('consequent'), node.alternate === null ? withElse : asBlock);
      if (node.alternate !== null) wraps.set(child('alternate'), asBlock);
    } else if (node.type === 'ConditionalExpression') {
      wraps.set(child('consequent'), asSequence);
      wraps.set(child('alternate'), asSequence);
    } else if (node.type === 'LogicalExpression' || logicalAssignments.has(String(node.operator)))
      wraps.set(child('right'), asSequence);
    else if (loops.has(node.type)) wraps.set(child('body'), asWork);
    else if (node.type === 'SwitchCase') {
      const [first] = node.consequent as SyntaxNode[];
      if (first !== undefined) wraps.set(first, (text) => `${count()}; ${text}`);
    } else if (functions.has(node.type)) {
      if (child('body').type === 'BlockStatement') wraps.set(child('body'), inFunction(child('body')));
      else wraps.set(child('body'), (text) => `(${tick()}, ${text})`);
    } else if (node.type === 'CatchClause') wraps.set(child('body'), asBlock);
  }

  function rewritten(node: SyntaxNode): string | undefined {
    if (node.type === 'BinaryExpression') return comparisonOf(node);
    if (node.type === 'CallExpression') return lookUpOf(node);
    if (node.type !== 'SwitchStatement') return undefined;
    const cases = (node.cases as SyntaxNode[]).flatMap(({ test }) => literalText(test as SyntaxNode | null));
    const discriminant = node.discriminant as SyntaxNode;
    wraps.set(discriminant, (text) => `$probes.choose(${text}, [${cases.join(', ')}])`);
    return undefined;
  }

  function comparisonOf(node: SyntaxNode): string | undefined {
    const probe = comparisons[String(node.operator)];
    const [left, right] = [node.left as SyntaxNode, node.right as SyntaxNode];
    if (probe === undefined || isTrivial(left) || isTrivial(right)) return undefined;
    return `$probes.${probe}(${render(left)}, ${render(right)}, ${newPlace()})`;
  }

  function lookUpOf({ callee, arguments: given, optional }: SyntaxNode): string | undefined {
    const { type, computed, object, property, optional: isOptional } = callee as SyntaxNode;
    const named = (property as SyntaxNode | undefined)?.name;
    const name = typeof named === 'string' ? named : '';
    const [value, ...others] = given as SyntaxNode[];
    const isPlain = type === 'MemberExpression' && computed === false && optional !== true && isOptional !== true;
    if (!isPlain || !lookUps.has(name) || value === undefined || others.length > 0) return undefined;
    if (value.type === 'SpreadElement' || hasChain(object as SyntaxNode)) return undefined;
    return `$probes.call(${render(object as SyntaxNode)}, '${name}', ${render(value)}, ${newPlace()})`;
  }

  function literalText(test: SyntaxNode | null): string[] {
    return test?.type === 'Literal' ? [source.slice(test.start, test.end)] : [];
  }

  const body = childrenOf(tree);
  const first = body.find((node) => !isDirective(node));
  const at = first?.start ?? tree.end;
  const code = render(tree);
  // The start of the tree may be later than that of the source: comments.
  const whole = source.slice(0, tree.start) + code + source.slice(tree.end);
  const start = body[0] === first ? 0 : at;
  const literals = { firstBranch, endBranch: countBranches(), values: [...values] };
  return { code: `${whole.slice(0, start)}${preamble} ${whole.slice(start)}`, literals };
}

function count(): string {
  return `$hits[${newBranch()}]++`;
}

/** Counts the branch, and fails if the input has used up its work. */
function tick(): string {
  return `(--$work[0] < 0 && $probes.over(), ${count()})`;
}

function asBlock(text: string): string {
  return `{ ${count()}; ${text} }`;
}

function withElse(text: string): string {
  return `{ ${count()}; ${text} } else ${count()};`;
}

function asWork(text: string): string {
  return `{ ${tick()}; ${text} }`;
}

function asSequence(text: string): string {
  return `(${count()}, ${text})`;
}

/** After the directives, which must come first. */
function inFunction(block: SyntaxNode): (text: string) => string {
  const directives = childrenOf(block).filter(isDirective);
  const skipped = (directives.at(-1)?.end ?? block.start + 1) - block.start;
  return (text) => `${text.slice(0, skipped)} ${tick()}; ${text.slice(skipped)}`;
}

function isDirective(node: SyntaxNode): boolean {
  return typeof node.directive === 'string';
}

/** Comparing with one of these says nothing about the input. */
function isTrivial({ type, value, name, operator }: SyntaxNode): boolean {
  if (type === 'Literal') return value === null || typeof value === 'boolean';
  if (type === 'Identifier') return name === 'undefined' || name === 'Infinity';
  return type === 'UnaryExpression' && (operator === 'typeof' || operator === 'void');
}

function hasChain(node: SyntaxNode): boolean {
  if (node.type === 'Super' || node.optional === true) return true;
  const inner = (node.object ?? node.callee) as SyntaxNode | undefined;
  return inner !== undefined && hasChain(inner);
}

function childrenOf(node: SyntaxNode): SyntaxNode[] {
  // A shorthand names a property and a variable at once: only its default value can be rewritten.
  if (node.type === 'Property' && node.shorthand === true) {
    const value = node.value as SyntaxNode;
    return value.type === 'AssignmentPattern' ? [value.right as SyntaxNode] : [];
  }
  const found: SyntaxNode[] = [];
  for (const value of Object.values(node)) {
    for (const item of Array.isArray(value) ? value : [value]) if (isNode(item)) found.push(item);
  }
  const inOrder = found.sort((one, other) => one.start - other.start);
  // `import { a }` has the name twice, at the same place.
  return inOrder.filter(({ start }, at) => start >= (inOrder[at - 1]?.end ?? 0));
}

function isNode(value: unknown): value is SyntaxNode {
  return typeof value === 'object' && value !== null && 'type' in value && 'start' in value && 'end' in value;
}
