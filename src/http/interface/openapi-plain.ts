// The operations beside the route table in the OpenAPI document: OpenID Connect, health and public documents.
import { withoutSamples } from './named-schemas.ts';
import { describeHeaders } from './openapi-answers.ts';
import { fieldsOf } from './openapi-parameters.ts';
import type { PlainAnswer, PlainLine } from './plain-line.ts';
import { type Sampled, sampleOf } from './sample-value.ts';
import type { Schema } from './schema.ts';

type Json = Record<string, unknown>;

export const oauthErrorSchema = {
  type: 'object',
  required: ['error', 'error_description'],
  properties: {
    error: { type: 'string', description: 'A code of RFC 6749, RFC 6750 or OpenID Connect' },
    error_description: { type: 'string', description: 'For developers, in English' },
  },
};

export function plainOperationOf(line: PlainLine): Json {
  const { name, tag, summary, description, security = [], query, form, answers } = line;
  return {
    operationId: name,
    tags: [tag],
    summary,
    ...(description !== undefined && { description }),
    security: security.map((schemes) => Object.fromEntries(schemes.map((scheme) => [scheme, []]))),
    ...(query !== undefined && { parameters: fieldsOf(query, 'query') }),
    ...(form !== undefined && {
      requestBody: {
        required: true,
        content: {
          'application/x-www-form-urlencoded': { schema: withoutSamples(form), example: sampleOf(form as Sampled) },
        },
      },
    }),
    responses: Object.fromEntries(Object.entries(answers).map(([status, answer]) => [status, responseOf(answer)])),
  };
}

function responseOf({ meaning, type = 'application/json', schema, example, errors, headers }: PlainAnswer): Json {
  const content =
    errors === undefined
      ? schema && { [type]: { schema: withoutSamples(schema), ...exampleOf(type, schema, example) } }
      : { [type]: { schema: { $ref: '#/components/schemas/OAuthError' }, examples: errorExamples(errors) } };
  return {
    description: meaning,
    ...(headers !== undefined && { headers: describeHeaders(headers) }),
    ...(content !== undefined && { content }),
  };
}

function exampleOf(type: string, schema: Schema, example: unknown): Json {
  return type === 'text/html' ? {} : { example: example ?? sampleOf(schema as Sampled) };
}

function errorExamples(errors: Readonly<Record<string, string>>): Json {
  return Object.fromEntries(
    Object.entries(errors).map(([error, error_description]) => [error, { value: { error, error_description } }]),
  );
}
