// The parameters of an operation in the OpenAPI document: path, query and headers.
import { askHeader } from './ask-token-header.ts';
import { deviceHeader } from './device-token-header.ts';
import { askMeaning } from './openapi-answers.ts';
import type { Route } from './route.ts';
import type { GuardName } from './route-line.ts';

type Json = Record<string, unknown>;

export function parametersOf(
  { params, query, requestHeaders = {}, askToken, deviceToken }: Route,
  guards: readonly GuardName[],
): Json {
  const parameters = [
    ...fieldsOf(params, 'path'),
    ...fieldsOf(query, 'query'),
    ...Object.entries(requestHeaders).map(([name, description]) => headerParameter(name, description)),
    ...(guards.includes('captcha') ? [captcha] : []),
    ...(askToken === undefined ? [] : [headerParameter(askHeader, askToken === 'taken' ? askMeaning : askRequest)]),
    ...(deviceToken === undefined ? [] : [headerParameter(deviceHeader, deviceRequest)]),
  ];
  return parameters.length === 0 ? {} : { parameters };
}

/** Each field of a schema of the path or the query. */
export function fieldsOf(schema: unknown, place: 'path' | 'query'): Json[] {
  const { properties = {}, required = [] } = (schema ?? {}) as {
    properties?: Record<string, Json>;
    required?: string[];
  };
  return Object.entries(properties).map(([name, { description, ...shape }]) => ({
    name,
    in: place,
    ...((place === 'path' || required.includes(name)) && { required: true }),
    ...(description !== undefined && { description }),
    schema: shape,
  }));
}

const text = { type: 'string' };
const captcha = {
  name: 'captcha-token',
  in: 'header',
  required: true,
  description: 'Solution of a captcha',
  schema: text,
};
const askRequest = 'Any text. The response then has the ask token as a header too, for apps without cookies';
const deviceRequest = 'The device token of an earlier response, for apps without cookies';

function headerParameter(name: string, description: string): Json {
  return { name, in: 'header', description, schema: text };
}
