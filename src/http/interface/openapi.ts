// Builds the OpenAPI 3.1 document from the route table and the failure table.
import { askHeader } from './ask-token-header.ts';
import { deviceHeader } from './device-token-header.ts';
import { failureSchemas } from './failure-schemas.ts';
import { namedComponents, referTo } from './named-schemas.ts';
import { askMeaning, responsesOf } from './openapi-answers.ts';
import { documentedCodes } from './possible-failures.ts';
import type { Route } from './route.ts';
import type { GuardName, RouteLine, RouteTag } from './route-line.ts';

const interfaceVersion = '0.0.2';

type Json = Record<string, unknown>;

export function createOpenApi(table: readonly RouteLine[], publicUrl: string): Json {
  const paths: Record<string, Json> = {};
  const shown = table.filter(({ isHidden }) => isHidden !== true);
  for (const line of shown) {
    const path = line.path.replaceAll(/:(\w+)/g, '{$1}');
    paths[path] = { ...paths[path], [line.method.toLowerCase()]: operationOf(line) };
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Gatehouse',
      version: interfaceVersion,
      summary: 'Signs users in and stores their files.',
      description:
        'Every JSON response is the same envelope: success, message, codeError, data. See /docs/errors for every code.',
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: publicUrl }],
    tags: Object.entries(tags).map(([name, description]) => ({ name, description })),
    paths,
    components: {
      securitySchemes,
      schemas: { ...failureSchemas(documentedCodes(table)), ...namedComponents(shown.map(({ route }) => route)) },
    },
  };
}

const tags: Readonly<Record<RouteTag, string>> = {
  auth: 'Signing in, tokens and sessions',
  file: 'Uploading and downloading files',
  admin: 'For support staff: users, messages, limits, spending and the audit log',
  'back-end': 'For the server of an app, with a service key: users, sessions, files, tokens and events',
  service: 'Health and information about the service',
};

const securitySchemes = {
  bearerAuth: { type: 'http', scheme: 'bearer', bearerFormat: 'JWT' },
  jwtCookie: { type: 'apiKey', in: 'cookie', name: 'JWT' },
  refreshTokenHeader: { type: 'apiKey', in: 'header', name: 'RT' },
  refreshTokenCookie: { type: 'apiKey', in: 'cookie', name: 'RT' },
  serviceKey: { type: 'http', scheme: 'bearer', bearerFormat: 'gks_<id>_<secret>' },
  adminSession: { type: 'apiKey', in: 'cookie', name: 'ADMIN' },
};

function operationOf(line: RouteLine): Json {
  const { name, tag, guards, opensByLink, route } = line;
  return {
    operationId: name,
    tags: [tag],
    summary: route.summary,
    ...(route.description !== undefined && { description: route.description }),
    // An empty requirement: a link in the query is enough.
    security: [...securityOf(guards), ...(opensByLink === true ? [{}] : [])],
    ...parametersOf(route, guards),
    ...requestBodyOf(route),
    responses: responsesOf(line),
  };
}

function requestBodyOf({ body, bodyOptional, requestTypes }: Route): Json {
  const types = requestTypes ?? (body === undefined ? undefined : { 'application/json': body });
  if (types === undefined) return {};
  const content = Object.fromEntries(
    Object.entries(types).map(([type, schema]) => [type, { schema: referTo(schema) }]),
  );
  return { requestBody: { required: bodyOptional !== true, content } };
}

function securityOf(guards: readonly GuardName[]): Json[] {
  if (guards.includes('access') && guards.includes('refresh-origin')) {
    return [{ bearerAuth: [], refreshTokenHeader: [] }, { bearerAuth: [] }, { jwtCookie: [], refreshTokenCookie: [] }];
  }
  if (guards.includes('access')) return [{ bearerAuth: [] }, { jwtCookie: [] }];
  if (guards.includes('service')) return [{ serviceKey: [] }];
  if (guards.includes('admin')) return [{ adminSession: [] }];
  if (guards.includes('refresh-origin')) return [{ refreshTokenHeader: [] }, { refreshTokenCookie: [] }];
  return [];
}

function parametersOf(
  { params, query, requestHeaders = {}, askToken, deviceToken }: Route,
  guards: readonly GuardName[],
): Json {
  const fields = (schema: unknown, place: string): Json[] => {
    const { properties = {}, required = [] } = (schema ?? {}) as {
      properties?: Record<string, Json>;
      required?: string[];
    };
    return Object.entries(properties).map(([name, { description, ...shape }]) => ({
      name,
      in: place,
      required: place === 'path' || required.includes(name),
      ...(description !== undefined && { description }),
      schema: shape,
    }));
  };
  const captcha = {
    name: 'captcha-token',
    in: 'header',
    required: true,
    description: 'Solution of a captcha',
    schema: { type: 'string' },
  };
  const parameters = [
    ...fields(params, 'path'),
    ...fields(query, 'query'),
    ...Object.entries(requestHeaders).map(([name, description]) => headerParameter(name, description)),
    ...(guards.includes('captcha') ? [captcha] : []),
    ...(askToken === undefined ? [] : [headerParameter(askHeader, askToken === 'taken' ? askMeaning : askRequest)]),
    ...(deviceToken === undefined ? [] : [headerParameter(deviceHeader, deviceRequest)]),
  ];
  return parameters.length === 0 ? {} : { parameters };
}

const text = { type: 'string' };
const askRequest = 'Any text. The response then has the ask token as a header too, for apps without cookies';
const deviceRequest = 'The device token of an earlier response, for apps without cookies';
const headerParameter = (name: string, description: string) => ({
  name,
  in: 'header',
  required: false,
  description,
  schema: text,
});
