// What `node:test` is while mutants are tested: it only collects suites and tests, so that any of them can run again at once.
import { mock } from 'node:test';

type Body = (context: Context) => unknown;
type Options = { skip?: unknown; todo?: unknown };
type Rest = [Body?] | [Options, Body?];

export type Suite = {
  /** The file, the names of the suites around it, and its own: `test/auth/sessions/session.test.ts > a session`. */
  id: string;
  parent: Suite | undefined;
  /** Whether its file is loaded once, and not for one mutant. */
  isLasting: boolean;
  isSkipped: boolean;
  before: Body[];
  after: Body[];
  beforeEach: Body[];
  afterEach: Body[];
};

export type Test = { id: string; suite: Suite; name: string; body: Body };

/** What tests use of the TestContext of Node. */
export type Context = {
  name: string;
  signal: AbortSignal;
  mock: typeof mock;
  diagnostic(text: string): void;
  skip(): void;
  todo(): void;
  after(body: Body): void;
  test(name: string, ...rest: Rest): Promise<void>;
};

type Collection = { tests: Test[]; ids: Set<string>; pending: unknown[] };

const between = ' > ';

/** The file of a test or suite. */
export const fileOf = (id: string): string => id.split(between, 1)[0] ?? id;

let collection: Collection | undefined;
let suite: Suite | undefined;

/** Runs `load`, which imports one test file, and returns the tests that it declares. */
export async function collectTests(file: string, isLasting: boolean, load: () => Promise<unknown>): Promise<Test[]> {
  const root: Suite = { ...newHooks(), id: file, parent: undefined, isLasting, isSkipped: false };
  const collected: Collection = { tests: [], ids: new Set(), pending: [] };
  collection = collected;
  suite = root;
  try {
    await load();
    for (const promise of collected.pending) await promise;
  } finally {
    collection = undefined;
    suite = undefined;
  }
  return collected.tests;
}

const newHooks = () => ({ before: [], after: [], beforeEach: [], afterEach: [] });

function inCollection(): { collection: Collection; suite: Suite } {
  if (collection === undefined || suite === undefined) throw new Error('A test was declared while tests were running.');
  return { collection, suite };
}

function readRest(rest: Rest): { options: Options; body: Body | undefined } {
  const [first, second] = rest;
  return typeof first === 'function' ? { options: {}, body: first } : { options: first ?? {}, body: second };
}

const isSet = (option: unknown) => option !== undefined && option !== false;

function addSuite(isSkippedByName: boolean, name: string, rest: Rest): void {
  const { collection: into, suite: parent } = inCollection();
  const { options, body } = readRest(rest);
  const isSkipped = isSkippedByName || parent.isSkipped || isSet(options.skip) || isSet(options.todo);
  suite = { ...newHooks(), id: `${parent.id}${between}${name}`, parent, isLasting: parent.isLasting, isSkipped };
  try {
    const result = body?.(newContext(name).context);
    if (result instanceof Promise) into.pending.push(result);
  } finally {
    suite = parent;
  }
}

function addTest(isSkipped: boolean, name: string, rest: Rest): void {
  const { collection: into, suite: parent } = inCollection();
  const { options, body } = readRest(rest);
  if (body === undefined || isSkipped || parent.isSkipped || isSet(options.skip) || isSet(options.todo)) return;
  const plainId = `${parent.id}${between}${name}`;
  let id = plainId;
  for (let copy = 2; into.ids.has(id); copy++) id = `${plainId} (${copy})`;
  into.ids.add(id);
  into.tests.push({ id, suite: parent, name, body });
}

/** A context, and how to end it: its `after` bodies run, and its mocks are taken back. */
export function newContext(name: string): { context: Context; end: () => Promise<void> } {
  const tracker = Reflect.construct(mock.constructor, []) as typeof mock;
  const afterwards: Body[] = [];
  const context: Context = {
    name,
    signal: new AbortController().signal,
    mock: tracker,
    diagnostic: () => {},
    skip: () => {},
    todo: () => {},
    after: (body) => void afterwards.push(body),
    test: async (inner, ...rest) => {
      const { options, body } = readRest(rest);
      if (body === undefined || isSet(options.skip) || isSet(options.todo)) return;
      const part = newContext(inner);
      try {
        await body(part.context);
      } finally {
        await part.end();
      }
    },
  };
  const end = async () => {
    for (const body of afterwards) await body(context);
    tracker.reset();
  };
  return { context, end };
}

type Declare = (name: string, ...rest: Rest) => void;

function declare(
  add: (isSkipped: boolean, name: string, rest: Rest) => void,
): Declare & Record<'skip' | 'todo', Declare> {
  return Object.assign((name: string, ...rest: Rest) => add(false, name, rest), {
    skip: (name: string, ...rest: Rest) => add(true, name, rest),
    todo: (name: string, ...rest: Rest) => add(true, name, rest),
  });
}

export const describe = declare(addSuite);
export const it = declare(addTest);
export const test = it;
export const before = (body: Body): void => void inCollection().suite.before.push(body);
export const after = (body: Body): void => void inCollection().suite.after.push(body);
export const beforeEach = (body: Body): void => void inCollection().suite.beforeEach.push(body);
export const afterEach = (body: Body): void => void inCollection().suite.afterEach.push(body);
export { mock };
