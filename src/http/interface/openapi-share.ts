// Moves what operations of the OpenAPI document have in common to its components, and refers to it there.

type Json = Readonly<Record<string, unknown>>;

export type Operation = {
  readonly operationId: string;
  readonly parameters?: readonly Json[];
  readonly requestBody?: Json;
  readonly responses: Readonly<Record<string, Json>>;
} & Json;

type Paths = Readonly<Record<string, Readonly<Record<string, Operation>>>>;

type Kind = 'parameters' | 'headers' | 'requestBodies' | 'responses';

/** Parts that occur more than once are listed once. The order of the operations decides about the numbers in names. */
export function shareParts(paths: Paths): { readonly paths: Paths; readonly components: Record<Kind, Json> } {
  const operations = Object.values(paths).flatMap((methods) => Object.values(methods));
  const responses = operations.flatMap((operation) => Object.entries(operation.responses));
  const shared = {
    parameters: createShelf(
      'parameters',
      operations.flatMap(({ parameters = [] }) => parameters.map((part) => [nameOfParameter(part), part] as const)),
    ),
    requestBodies: createShelf(
      'requestBodies',
      operations.flatMap(({ requestBody, operationId }) =>
        requestBody === undefined ? [] : [[`BodyOf${pascal(operationId)}`, requestBody] as const],
      ),
    ),
    headers: createShelf(
      'headers',
      responses.flatMap(([, { headers = {} }]) =>
        Object.entries(headers as Record<string, Json>).map(([name, part]) => [pascal(name), part] as const),
      ),
    ),
    responses: createShelf(
      'responses',
      responses.map(([status, part]) => [`R${status}`, part] as const),
    ),
  };
  const referHeaders = (response: Json): Json => {
    if (response.headers === undefined) return response;
    const headers = Object.entries(response.headers as Record<string, Json>);
    return {
      ...response,
      headers: Object.fromEntries(headers.map(([name, part]) => [name, shared.headers.refer(part)])),
    };
  };
  const refer = (operation: Operation): Operation => ({
    ...operation,
    ...(operation.parameters !== undefined && { parameters: operation.parameters.map(shared.parameters.refer) }),
    ...(operation.requestBody !== undefined && { requestBody: shared.requestBodies.refer(operation.requestBody) }),
    responses: mapValues(operation.responses, (part) => {
      const reference = shared.responses.refer(part);
      return '$ref' in reference ? reference : referHeaders(part);
    }),
  });
  return {
    paths: mapValues(paths, (methods) => mapValues(methods, refer)),
    components: {
      parameters: shared.parameters.content,
      headers: shared.headers.content,
      requestBodies: shared.requestBodies.content,
      responses: mapValues(shared.responses.content as Record<string, Json>, referHeaders),
    },
  };
}

/** Everything that occurs at least twice gets a name: the one given, with a number if another part has it already. */
function createShelf(kind: Kind, parts: readonly (readonly [name: string, part: Json])[]) {
  /** The name that a part was first given. */
  const seen = new Map<string, string>();
  const names = new Map<string, string>();
  const content: Record<string, Json> = {};
  for (const [given, part] of parts) {
    const text = JSON.stringify(part);
    const name = seen.get(text);
    if (name !== undefined && !names.has(text)) {
      let free = name;
      for (let number = 2; free in content; number++) free = `${name}_${number}`;
      names.set(text, free);
      content[free] = part;
    }
    if (name === undefined) seen.set(text, given);
  }
  const refer = (part: Json): Json => {
    const name = names.get(JSON.stringify(part));
    return name === undefined ? part : { $ref: `#/components/${kind}/${name}` };
  };
  return { content, refer };
}

function nameOfParameter({ name, in: place }: Json): string {
  return `${pascal(String(name))}${place === 'header' ? '' : `In${pascal(String(place))}`}`;
}

function pascal(text: string): string {
  return text
    .split(/[^A-Za-z0-9]+/)
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join('');
}

export function mapValues<T, U>(record: Readonly<Record<string, T>>, change: (value: T) => U): Record<string, U> {
  return Object.fromEntries(Object.entries(record).map(([key, value]) => [key, change(value)]));
}
