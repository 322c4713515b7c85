// The endpoints as the pages show them: each line of the route table with its operation from the OpenAPI document.
import type { FailureCode } from '../../kernel/failure.ts';
import { withoutReferences } from '../interface/named-schemas.ts';
import { createOpenApi } from '../interface/openapi.ts';
import { failuresOf } from '../interface/possible-failures.ts';
import type { GuardName, RouteLine } from '../interface/route-line.ts';
import type { Schema } from '../interface/schema.ts';
import { type ShownSchema, sampleOf } from './describe-schema.ts';

export type Parameter = {
  readonly name: string;
  readonly in: 'path' | 'query' | 'header';
  readonly required: boolean;
  readonly description?: string;
  readonly schema: ShownSchema;
};

export type Endpoint = {
  /** The operation id, which is also the anchor on the page. */
  readonly id: string;
  readonly method: RouteLine['method'];
  /** With parameter names in braces. */
  readonly path: string;
  readonly tag: string;
  readonly summary: string;
  readonly description: string | undefined;
  readonly guards: readonly GuardName[];
  readonly parameters: readonly Parameter[];
  readonly body: { readonly schema: ShownSchema; readonly isRequired: boolean } | undefined;
  readonly success: { readonly status: string; readonly example: unknown };
  readonly failures: readonly FailureCode[];
};

export type Interface = {
  readonly version: string;
  readonly tags: readonly { readonly name: string; readonly description: string }[];
  readonly endpoints: readonly Endpoint[];
};

type Content = { readonly schema: ShownSchema; readonly example?: unknown };

type Operation = {
  readonly operationId: string;
  readonly tags: readonly string[];
  readonly summary: string;
  readonly description?: string;
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: { readonly required: boolean; readonly content: Readonly<Record<string, Content>> };
  readonly responses: Readonly<
    Record<string, { readonly description: string; readonly content?: Readonly<Record<string, Content>> }>
  >;
};

/** The part of the document that the pages read. */
type Document = {
  readonly info: { readonly version: string };
  readonly tags: Interface['tags'];
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: { readonly schemas: Components };
};

type Components = Readonly<Record<string, Schema>>;

export function readInterface(table: readonly RouteLine[]): Interface {
  const { info, tags, paths, components } = createOpenApi(table, '/') as Document;
  const endpoints = table.flatMap((line) => {
    const path = line.path.replaceAll(/:(\w+)/g, '{$1}');
    const operation = line.isHidden === true ? undefined : paths[path]?.[line.method.toLowerCase()];
    return operation === undefined ? [] : [toEndpoint(line, path, operation, components.schemas)];
  });
  return { version: info.version, tags, endpoints };
}

function toEndpoint(line: RouteLine, path: string, operation: Operation, components: Components): Endpoint {
  const { operationId, tags, summary, description, parameters = [], requestBody } = operation;
  const schema = requestBody?.content['application/json']?.schema;
  return {
    id: operationId,
    method: line.method,
    path,
    tag: tags[0] ?? '',
    summary,
    description,
    guards: line.guards,
    parameters,
    body: schema && { schema: shown(schema, components), isRequired: requestBody?.required === true },
    success: successOf(operation, components),
    failures: failuresOf(line),
  };
}

function successOf({ responses }: Operation, components: Components): Endpoint['success'] {
  const status = Object.keys(responses).find((key) => key.startsWith('2')) ?? '200';
  const content = responses[status]?.content?.['application/json'];
  if (content === undefined) return { status, example: undefined };
  const data = content.schema.properties?.data;
  if (content.example !== undefined || data === undefined) return { status, example: content.example };
  // For a route without an example, show a sample of its data.
  const message = responses[status]?.description;
  return { status, example: { success: true, message, codeError: null, data: sampleOf(shown(data, components)) } };
}

/** A schema as the pages describe it: in full, because they show each endpoint by itself. */
function shown(schema: ShownSchema, components: Components): ShownSchema {
  return withoutReferences(schema as Schema, components) as ShownSchema;
}
