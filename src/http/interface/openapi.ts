// Builds the OpenAPI 3.1 document from the route table, the lines beside it and the failure table.
import { failureSchemas, successSchemas } from './failure-schemas.ts';
import { namedComponents, referTo, withoutSamples } from './named-schemas.ts';
import { headResponsesOf, responsesOf } from './openapi-answers.ts';
import { extendSchemas, liftSecurity, withoutPlaceholders } from './openapi-lean.ts';
import { parametersOf } from './openapi-parameters.ts';
import { oauthErrorSchema, plainOperationOf } from './openapi-plain.ts';
import { type Operation, shareParts } from './openapi-share.ts';
import type { PlainLine } from './plain-line.ts';
import { documentedCodes } from './possible-failures.ts';
import type { Route } from './route.ts';
import type { GuardName, RouteLine, RouteTag } from './route-line.ts';
import { type Sampled, sampleOf } from './sample-value.ts';

export const interfaceVersion = '0.0.2';

type Json = Record<string, unknown>;

type Paths = Readonly<Record<string, Readonly<Record<string, Operation>>>>;

export function createOpenApi(
  table: readonly RouteLine[],
  publicUrl: string,
  plainLines: readonly PlainLine[] = [],
): Json {
  const shown = table.filter(({ isHidden }) => isHidden !== true);
  const { security, paths } = liftSecurity(withoutPlaceholders(describeOperations(table, plainLines)));
  const shared = shareParts(paths);
  return {
    openapi: '3.1.0',
    info: {
      title: 'Gatehouse',
      version: interfaceVersion,
      summary: 'Signs users in and stores their files.',
      description:
        'Every JSON response of /api is the same envelope: success, message, codeError, data. See /docs/errors for every code. The endpoints below /oauth speak OpenID Connect and have the errors of RFC 6749. HEAD is answered wherever GET is; it is listed where its headers are of use.',
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: publicUrl }],
    tags: tagsOf([...shown, ...plainLines]),
    security,
    paths: shared.paths,
    components: {
      securitySchemes: { ...securitySchemes, ...(plainLines.length > 0 && { appSecret }) },
      schemas: {
        ...successSchemas,
        ...failureSchemas(documentedCodes(table)),
        ...(plainLines.length > 0 && { OAuthError: oauthErrorSchema }),
        ...extendSchemas(namedComponents(shown.map(({ route }) => route))),
      },
      ...shared.components,
    },
  };
}

/** The operations by path and method, each in full: schemas with a title are the only references. */
export function describeOperations(table: readonly RouteLine[], plainLines: readonly PlainLine[]): Paths {
  const paths: Record<string, Record<string, Operation>> = {};
  const add = (path: string, method: string, operation: Json) => {
    const key = path.replaceAll(/:(\w+)/g, '{$1}');
    paths[key] = { ...paths[key], [method.toLowerCase()]: operation as Operation };
  };
  for (const line of table) {
    if (line.isHidden === true) continue;
    add(line.path, line.method, operationOf(line));
    if (isHeadUseful(line)) add(line.path, 'HEAD', headOperationOf(line));
  }
  for (const line of plainLines) add(line.path, line.method, plainOperationOf(line));
  return paths;
}

const tags: Readonly<Record<RouteTag, string>> = {
  auth: 'Signing in, tokens and sessions',
  file: 'Uploading and downloading files',
  apps: 'Sign in with Gatehouse: OpenID Connect for other apps',
  'back-end': 'For the server of an app, with a service key: users, sessions, files, tokens and events',
  admin: 'For support staff: users, messages, limits, spending and the audit log',
  service: 'Health and information about the service',
};

export function tagsOf(lines: readonly { readonly tag: RouteTag }[]) {
  const used = new Set<string>(lines.map(({ tag }) => tag));
  return Object.entries(tags)
    .filter(([name]) => used.has(name))
    .map(([name, description]) => ({ name: name as RouteTag, description }));
}

const securitySchemes = {
  bearerAuth: { type: 'http', scheme: 'bearer', bearerFormat: 'JWT' },
  jwtCookie: { type: 'apiKey', in: 'cookie', name: 'JWT' },
  refreshTokenHeader: { type: 'apiKey', in: 'header', name: 'RT' },
  refreshTokenCookie: { type: 'apiKey', in: 'cookie', name: 'RT' },
  serviceKey: { type: 'http', scheme: 'bearer', bearerFormat: 'gks_<id>_<secret>' },
  browserSession: { type: 'apiKey', in: 'cookie', name: 'SSO' },
  adminSession: { type: 'apiKey', in: 'cookie', name: 'ADMIN' },
};
/** The id and the secret of an app, for the endpoints of OpenID Connect. */
const appSecret = { type: 'http', scheme: 'basic' };

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

/** HEAD is listed where the headers of the answer are worth a request of their own. */
function isHeadUseful({ method, route }: RouteLine): boolean {
  return method === 'GET' && (route.servesFile === true || route.answerHeaders !== undefined);
}

function headOperationOf(line: RouteLine): Json {
  const { requestBody: _, description: __, ...operation } = operationOf(line);
  return {
    ...operation,
    operationId: `${line.name}Head`,
    summary: `${line.route.summary}: headers only`,
    responses: headResponsesOf(line),
  };
}

function requestBodyOf({ body, bodyOptional, requestTypes }: Route): Json {
  const types = requestTypes ?? (body === undefined ? undefined : { 'application/json': body });
  if (types === undefined) return {};
  const content = Object.fromEntries(
    Object.entries(types).map(([type, schema]) => {
      if (type !== 'application/json') return [type, { schema: referTo(schema) }];
      return [type, { schema: withoutSamples(referTo(schema)), example: sampleOf(schema as Sampled) }];
    }),
  );
  return { requestBody: { ...(bodyOptional !== true && { required: true }), content } };
}

function securityOf(guards: readonly GuardName[]): Json[] {
  if (guards.includes('access') && guards.includes('refresh-origin')) {
    return [{ bearerAuth: [], refreshTokenHeader: [] }, { bearerAuth: [] }, { jwtCookie: [], refreshTokenCookie: [] }];
  }
  if (guards.includes('browser')) return [{ jwtCookie: [], browserSession: [] }];
  if (guards.includes('access')) return [{ bearerAuth: [] }, { jwtCookie: [] }];
  if (guards.includes('backend')) return [{ serviceKey: [] }];
  if (guards.includes('admin')) return [{ adminSession: [] }];
  if (guards.includes('refresh-origin')) return [{ refreshTokenHeader: [] }, { refreshTokenCookie: [] }];
  return [];
}
