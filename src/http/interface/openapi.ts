// Builds the OpenAPI 3.1 document from the route table and the failure table.
import { type FailureCode, failureCodes } from '../../kernel/failure.ts';
import { askHeader } from './ask-token-header.ts';
import { failureMessage, successMessage } from './catalogue.ts';
import { failureReplies } from './failure-replies.ts';
import type { Route } from './route.ts';
import type { GuardName, RouteLine, RouteTag } from './route-line.ts';

const interfaceVersion = '0.0.2';

type Json = Record<string, unknown>;

export function createOpenApi(table: readonly RouteLine[], publicUrl: string): Json {
  const paths: Record<string, Json> = {};
  for (const line of table.filter(({ isHidden }) => isHidden !== true)) {
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
    components: { securitySchemes, schemas: sharedSchemas() },
  };
}

const tags: Readonly<Record<RouteTag, string>> = {
  auth: 'Signing in, tokens and sessions',
  file: 'Uploading and downloading files',
  admin: 'For support staff: users, messages, limits, spending and the audit log',
  service: 'Health and information about the service',
};

const securitySchemes = {
  bearerAuth: { type: 'http', scheme: 'bearer', bearerFormat: 'JWT' },
  jwtCookie: { type: 'apiKey', in: 'cookie', name: 'JWT' },
  refreshTokenHeader: { type: 'apiKey', in: 'header', name: 'RT' },
  refreshTokenCookie: { type: 'apiKey', in: 'cookie', name: 'RT' },
  adminSession: { type: 'apiKey', in: 'cookie', name: 'ADMIN' },
};

function operationOf(line: RouteLine): Json {
  const { name, tag, guards, route } = line;
  return {
    operationId: name,
    tags: [tag],
    summary: route.summary,
    ...(route.description !== undefined && { description: route.description }),
    security: securityOf(guards),
    ...parametersOf(route, guards),
    ...requestBodyOf(route),
    responses: responsesOf(line),
  };
}

function requestBodyOf({ body, bodyOptional, requestTypes }: Route): Json {
  const types = requestTypes ?? (body === undefined ? undefined : { 'application/json': body });
  if (types === undefined) return {};
  const content = Object.fromEntries(Object.entries(types).map(([type, schema]) => [type, { schema }]));
  return { requestBody: { required: bodyOptional !== true, content } };
}

function securityOf(guards: readonly GuardName[]): Json[] {
  if (guards.includes('access')) return [{ bearerAuth: [] }, { jwtCookie: [] }];
  if (guards.includes('admin')) return [{ adminSession: [] }];
  if (guards.includes('refresh-origin')) return [{ refreshTokenHeader: [] }, { refreshTokenCookie: [] }];
  return [];
}

function parametersOf({ params, query, askToken }: Route, guards: readonly GuardName[]): Json {
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
    ...(guards.includes('captcha') ? [captcha] : []),
    ...(askToken === undefined ? [] : [askParameter(askToken === 'taken' ? askMeaning : askRequest)]),
  ];
  return parameters.length === 0 ? {} : { parameters };
}

const text = { type: 'string' };
const askMeaning = 'Proves that the caller asked for the code; the cookie “ask” has the same value';
const askRequest = 'Any text. The response then has the ask token as a header too, for apps without cookies';
const askParameter = (description: string) => ({
  name: askHeader,
  in: 'header',
  required: false,
  description,
  schema: text,
});

const guardFailures: Record<GuardName, readonly FailureCode[]> = {
  access: ['ACCESS_TOKEN_MISSING', 'ACCESS_TOKEN_INVALID', 'ACCESS_TOKEN_EXPIRED', 'SESSION_REVOKED'],
  captcha: ['CAPTCHA_REQUIRED', 'CAPTCHA_INVALID', 'CAPTCHA_UNAVAILABLE'],
  origin: ['CSRF_REJECTED'],
  'refresh-origin': ['CSRF_REJECTED'],
  admin: ['ADMIN_REQUIRED', 'CSRF_REJECTED', 'NOT_FOUND'],
  'admin-enabled': ['CSRF_REJECTED', 'NOT_FOUND'],
  host: [],
};

/** Any request can be refused with these, whatever its route. */
const everyFailure: readonly FailureCode[] = [
  'REQUEST_INVALID',
  'MEDIA_TYPE_UNSUPPORTED',
  'RATE_LIMITED',
  'SERVICE_UNAVAILABLE',
  'INTERNAL_ERROR',
];

/** A body is read and checked even if the route needs none. GET never reads one. */
const bodyFailures: readonly FailureCode[] = ['JSON_INVALID', 'BODY_TOO_LARGE', 'REQUEST_TIMEOUT'];

export function failuresOf({ method, guards, route }: Pick<RouteLine, 'method' | 'guards' | 'route'>): FailureCode[] {
  const possible = new Set<FailureCode>([
    ...everyFailure,
    ...(method === 'GET' || route.takesStream === true ? [] : bodyFailures),
    ...guards.flatMap((guard) => guardFailures[guard]),
    ...route.failures,
  ]);
  return failureCodes.filter((code) => possible.has(code));
}

function responsesOf(line: RouteLine): Json {
  const { route } = line;
  const responses: Json = {
    [String(route.status ?? 200)]: {
      description: successMessage('en', route.success),
      ...(route.askToken === 'given' && { headers: { [askHeader]: { description: askMeaning, schema: text } } }),
      content: successContent(route),
    },
    ...Object.fromEntries(
      Object.entries(route.otherAnswers ?? {}).map(([status, description]) => [
        status,
        { description, ...(status === '206' && { content: successContent(route) }) },
      ]),
    ),
  };
  for (const [status, codes] of Object.entries(
    Object.groupBy(failuresOf(line), (code) => failureReplies[code].status),
  )) {
    responses[status] = failureResponse(codes ?? []);
  }
  return responses;
}

function successContent(route: Route): Json {
  if (route.answerTypes === undefined)
    return { 'application/json': { schema: successSchema(route), example: successExample(route) } };
  return Object.fromEntries(route.answerTypes.map((type) => [type, { schema: { type: 'string', format: 'binary' } }]));
}

function successSchema({ data }: Route): Json {
  return {
    type: 'object',
    required: ['success', 'message', 'codeError', 'data'],
    properties: {
      success: { const: true },
      message: { type: 'string' },
      codeError: { type: 'null' },
      data: data ?? { type: 'null' },
    },
  };
}

function successExample({ success, example }: Route): Json {
  return { success: true, message: successMessage('en', success), codeError: null, data: example ?? null };
}

function failureResponse(codes: readonly FailureCode[]): Json {
  const examples = codes.map((code) => [code, { summary: failureReplies[code].when, value: failureExample(code) }]);
  const [first] = codes;
  const status = first === undefined ? 500 : failureReplies[first].status;
  return {
    description: codes.join(', '),
    ...((status === 429 || status === 503 || codes.includes('UPLOAD_IN_PROGRESS')) && {
      headers: { 'Retry-After': { description: 'Seconds to wait', schema: { type: 'integer' } } },
    }),
    content: {
      'application/json': {
        schema: {
          allOf: [
            { $ref: '#/components/schemas/Failure' },
            { type: 'object', properties: { codeError: { enum: codes } } },
          ],
        },
        examples: Object.fromEntries(examples),
      },
    },
  };
}

export function failureExample(code: FailureCode): Json {
  const detail = {
    field: 'recipient',
    left: 3,
    retryAfterSeconds: 30,
    limit: '5 MiB',
    list: 'avatar, image',
    allow: 'GET',
    requestId: '0192…',
  };
  return { success: false, message: failureMessage('en', code, detail), codeError: code, data: null };
}

function sharedSchemas(): Json {
  return {
    FailureCode: { type: 'string', enum: failureCodes },
    Failure: {
      type: 'object',
      required: ['success', 'message', 'codeError', 'data'],
      properties: {
        success: { const: false },
        message: { type: 'string', description: 'Can be shown to the user; follows Accept-Language' },
        codeError: { $ref: '#/components/schemas/FailureCode' },
        data: { type: 'null' },
      },
    },
  };
}
