// Finds the operations that modules export: by name for the drivers, and as the verbs of ports for everybody else.
import type { Operation } from './transaction.ts';

type AnyOperation = Operation<never, unknown>;

/** The modules of each port: an operation that they export is the verb of its name. */
type Modules = Readonly<Record<string, readonly object[]>>;

type InputTo<O> = O extends AnyOperation ? Parameters<O['run']>[1][number] : never;
type OutputOf<O> = O extends AnyOperation
  ? ReturnType<O['run']> extends Promise<(infer Output)[]>
    ? Output
    : never
  : never;

/** What the modules of one port export, as if they were one module. */
export type Joined<Ms extends readonly object[]> = (
  Ms[number] extends infer M
    ? M extends M
      ? (m: M) => void
      : never
    : never
) extends (joined: infer J) => void
  ? J
  : never;

export type VerbOf<M> = { [V in keyof M]: M[V] extends AnyOperation ? V : never }[keyof M] & string;

type Ask<O> = InputTo<O> extends null ? () => Promise<OutputOf<O>> : (input: InputTo<O>) => Promise<OutputOf<O>>;

type Verbs<M, V extends keyof M = VerbOf<M>> = { readonly [K in V]: Ask<M[K]> };

type PortsOf<Ms extends Modules> = { readonly [P in keyof Ms]: Verbs<Joined<Ms[P]>> };

/** Fails to compile if a module exports an operation that is no verb of its port, and says which. */
export type Used<Ms extends Modules, Ports extends { readonly [P in keyof Ms]: object }> = [Unused<Ms, Ports>] extends [
  never,
]
  ? Ms
  : `no port has the verb ${Unused<Ms, Ports>}`;

type Unused<Ms extends Modules, Ports extends { readonly [P in keyof Ms]: object }> = {
  [P in keyof Ms & string]: `${P}.${Exclude<VerbOf<Joined<Ms[P]>>, keyof Ports[P]>}`;
}[keyof Ms & string];

/** By port and verb: `outbox.claim`. */
export function namedOperations(modules: Modules): Map<string, AnyOperation> {
  const operations = new Map<string, AnyOperation>();
  for (const [port, verb, operation] of listVerbs(modules)) {
    const name = `${port}.${verb}`;
    if (operations.has(name)) throw new Error(`two modules export the operation ${name}`);
    operations.set(name, operation);
  }
  return operations;
}

/** Each verb asks for its operation by name, because the operation may run in another thread. */
export function portsOf<Ms extends Modules>(
  modules: Ms,
  call: (name: never, input: never) => Promise<unknown>,
): PortsOf<Ms> {
  const ports: Record<string, Record<string, unknown>> = {};
  for (const [port, verb] of listVerbs(modules)) {
    const name = `${port}.${verb}` as never;
    ports[port] ??= {};
    ports[port][verb] = (input: unknown = null) => call(name, input as never);
  }
  return ports as PortsOf<Ms>;
}

function listVerbs(modules: Modules): (readonly [port: string, verb: string, operation: AnyOperation])[] {
  const exported = Object.entries(modules).flatMap(([port, parts]) =>
    parts.flatMap((part) => Object.entries(part).map(([verb, value]) => [port, verb, value] as const)),
  );
  return exported.filter(([, , value]) => isOperation(value));
}

function isOperation(value: unknown): value is AnyOperation {
  return typeof value === 'object' && value !== null && 'run' in value && typeof value.run === 'function';
}
