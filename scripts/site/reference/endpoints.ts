// The endpoints as the pages show them: each line of the route table with its operation from the OpenAPI document.

import { namedComponents, withoutReferences } from '../../../src/http/interface/named-schemas.ts';
import { describeOperations, interfaceVersion, tagsOf } from '../../../src/http/interface/openapi.ts';
import type { PlainLine } from '../../../src/http/interface/plain-line.ts';
import { failuresOf } from '../../../src/http/interface/possible-failures.ts';
import type { GuardName, RouteLine, RouteTag } from '../../../src/http/interface/route-line.ts';
import type { Schema } from '../../../src/http/interface/schema.ts';
import type { FailureCode } from '../../../src/kernel/failure.ts';
import type { ShownSchema } from './describe-schema.ts';

export type Parameter = {
  readonly name: string;
  readonly in: 'path' | 'query' | 'header';
  readonly required?: true;
  readonly description?: string;
  readonly schema: ShownSchema;
};

export type Endpoint = {
  /** The operation id, which is also the anchor on the page. */
  readonly id: string;
  readonly method: RouteLine['method'] | PlainLine['method'];
  /** With parameter names in braces. */
  readonly path: string;
  readonly tag: RouteTag;
  readonly summary: string;
  readonly description: string | undefined;
  readonly guards: readonly GuardName[];
  readonly parameters: readonly Parameter[];
  /** The first of the forms that it takes. */
  readonly body:
    | {
        readonly type: string;
        readonly schema: ShownSchema;
        readonly example: unknown;
        readonly isRequired: boolean;
      }
    | undefined;
  readonly success: { readonly status: string; readonly example: unknown };
  readonly failures: readonly FailureCode[];
  /** Security schemes of an endpoint beside the route table. */
  readonly credentials: readonly string[];
  /** The answers of an endpoint beside the route table. */
  readonly statuses: readonly {
    readonly status: string;
    readonly meaning: string;
    readonly codes: readonly string[];
  }[];
};

export type Interface = {
  readonly version: string;
  readonly tags: readonly { readonly name: RouteTag; readonly description: string }[];
  readonly endpoints: readonly Endpoint[];
  /** Schemas with a name, with references to each other. */
  readonly schemas: Readonly<Record<string, Schema>>;
};

type Content = { readonly schema: ShownSchema; readonly example?: unknown; readonly examples?: object };

type Operation = {
  readonly operationId: string;
  readonly summary: string;
  readonly description?: string;
  readonly security: readonly object[];
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: { readonly required: boolean; readonly content: Readonly<Record<string, Content>> };
  readonly responses: Readonly<
    Record<string, { readonly description: string; readonly content?: Readonly<Record<string, Content>> }>
  >;
};

type Components = Readonly<Record<string, Schema>>;

export function readInterface(table: readonly RouteLine[], plainLines: readonly PlainLine[] = []): Interface {
  const shown = table.filter(({ isHidden }) => isHidden !== true);
  const paths = describeOperations(shown, plainLines) as Readonly<Record<string, Readonly<Record<string, unknown>>>>;
  const components = namedComponents(shown.map(({ route }) => route));
  const endpoints = [...shown, ...plainLines].flatMap((line) => {
    const path = line.path.replaceAll(/:(\w+)/g, '{$1}');
    const operation = paths[path]?.[line.method.toLowerCase()] as Operation | undefined;
    return operation === undefined ? [] : [toEndpoint(line, path, operation, components)];
  });
  return { version: interfaceVersion, tags: tagsOf([...shown, ...plainLines]), endpoints, schemas: components };
}

function toEndpoint(line: RouteLine | PlainLine, path: string, operation: Operation, components: Components): Endpoint {
  const { operationId, summary, description, parameters = [], requestBody, security } = operation;
  const isTable = 'guards' in line;
  return {
    id: operationId,
    method: line.method,
    path,
    tag: line.tag,
    summary,
    description,
    guards: isTable ? line.guards : [],
    credentials: isTable ? [] : security.flatMap((schemes) => Object.keys(schemes)),
    parameters,
    body: bodyOf(requestBody, components),
    success: successOf(operation),
    failures: isTable ? failuresOf(line) : [],
    statuses: isTable ? [] : statusesOf(operation),
  };
}

function bodyOf(requestBody: Operation['requestBody'], components: Components): Endpoint['body'] {
  const [type, content] = Object.entries(requestBody?.content ?? {})[0] ?? [];
  if (type === undefined || content === undefined) return undefined;
  const { schema, example } = content;
  return { type, schema: shown(schema, components), example, isRequired: requestBody?.required === true };
}

/** The first success. An interim response is none. */
function successOf({ responses }: Operation): Endpoint['success'] {
  const status = Object.keys(responses).find((key) => key.startsWith('2')) ?? '303';
  return { status, example: responses[status]?.content?.['application/json']?.example };
}

/** What an endpoint of another protocol answers: every status with its meaning and its error codes. */
function statusesOf({ responses }: Operation): Endpoint['statuses'] {
  return Object.entries(responses).map(([status, { description, content }]) => ({
    status,
    meaning: description,
    codes: Object.keys(content?.['application/json']?.examples ?? {}),
  }));
}

/** A schema as the pages describe it: in full, because they show each endpoint by itself. */
function shown(schema: ShownSchema, components: Components): ShownSchema {
  return withoutReferences(schema as Schema, components) as ShownSchema;
}
