// The answers of a route in the OpenAPI document: successes, failures, and their headers.
import type { FailureCode } from '../../kernel/failure.ts';
import { askHeader } from './ask-token-header.ts';
import { failureMessage, successMessage } from './catalogue.ts';
import { deviceHeader } from './device-token-header.ts';
import { ticketHeader } from './envelope.ts';
import { failureReplies } from './failure-replies.ts';
import { referTo } from './named-schemas.ts';
import { failuresOf } from './possible-failures.ts';
import type { Route } from './route.ts';
import type { RouteLine } from './route-line.ts';
import { either } from './schema.ts';

type Json = Record<string, unknown>;

const text = { type: 'string' };
const deviceMeaning = 'Marks the device as known to the user; the cookie “DV” has the same value';
export const askMeaning = 'Proves that the caller asked for the code; the cookie “ask” has the same value';

export function responsesOf(line: RouteLine): Json {
  const { route } = line;
  const responses: Json = {
    ...successesOf(route),
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

/** Two successes with the same status are one answer of either shape. */
function successesOf(route: Route): Json {
  const { status = 200, other } = route;
  const answerHeaders = route.answerHeaders === undefined ? {} : { answerHeaders: route.answerHeaders };
  const description = route.answerMeaning ?? successMessage('en', route.success);
  const usual = { description, ...headersOf(route), content: successContent(route) };
  if (other === undefined) return { [status]: usual };
  const otherMeaning = successMessage('en', other.success);
  if (other.status === status && route.data !== undefined) {
    const data = either(route.data, other.data);
    const content = successContent({ ...route, data });
    return { [status]: { ...usual, description: `${description} ${otherMeaning}`, content } };
  }
  const content = { 'application/json': { schema: successSchema(other), ...successExample(other) } };
  return { [status]: usual, [other.status]: { description: otherMeaning, ...headersOf(answerHeaders), content } };
}

function headersOf({
  askToken,
  deviceToken,
  answerHeaders = {},
}: Pick<Route, 'askToken' | 'deviceToken' | 'answerHeaders'>): Json {
  const headers = {
    ...Object.fromEntries(
      Object.entries(answerHeaders).map(([name, description]) => [name, { description, schema: text }]),
    ),
    ...(askToken === 'given' && { [askHeader]: { description: askMeaning, schema: text } }),
    ...(deviceToken === 'renewed' && { [deviceHeader]: { description: deviceMeaning, schema: text } }),
  };
  return Object.keys(headers).length === 0 ? {} : { headers };
}

function successContent(route: Route): Json {
  if (route.answerTypes === undefined)
    return { 'application/json': { schema: successSchema(route), ...successExample(route) } };
  return Object.fromEntries(route.answerTypes.map((type) => [type, { schema: { type: 'string', format: 'binary' } }]));
}

function successSchema({ data }: Pick<Route, 'data'>): Json {
  return {
    type: 'object',
    required: ['success', 'message', 'codeError', 'data'],
    properties: {
      success: { const: true },
      message: { type: 'string' },
      codeError: { type: 'null' },
      data: data === undefined ? { type: 'null' } : referTo(data),
    },
  };
}

/** None for data without an example: null would be a wrong one. */
function successExample({ success, data, example }: Pick<Route, 'success' | 'data' | 'example'>): Json {
  if (data !== undefined && example === undefined) return {};
  return { example: { success: true, message: successMessage('en', success), codeError: null, data: example ?? null } };
}

function failureResponse(codes: readonly FailureCode[]): Json {
  const examples = codes.map((code) => [code, { summary: failureReplies[code].when, value: failureExample(code) }]);
  const [first] = codes;
  const status = first === undefined ? 500 : failureReplies[first].status;
  const headers = {
    ...((status === 429 || status === 503 || codes.includes('UPLOAD_IN_PROGRESS')) && {
      'Retry-After': { description: 'Seconds to wait', schema: { type: 'integer' } },
    }),
    ...(codes.includes('PHONE_NEEDS_PROOF') && {
      [ticketHeader]: { description: 'A ticket for POST /api/auth/phone/claim', schema: text },
    }),
    ...(codes.includes('UPLOAD_OFFSET_WRONG') && {
      'Upload-Offset': { description: 'Where the upload goes on', schema: { type: 'integer' } },
    }),
  };
  return {
    description: codes.join(', '),
    ...(Object.keys(headers).length > 0 && { headers }),
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
