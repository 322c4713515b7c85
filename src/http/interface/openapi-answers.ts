// The answers of a route in the OpenAPI document: successes, failures, and their headers.
import type { FailureCode } from '../../kernel/failure.ts';
import { askHeader } from './ask-token-header.ts';
import { failureMessage, successMessage } from './catalogue.ts';
import { deviceHeader } from './device-token-header.ts';
import { ticketHeader } from './envelope.ts';
import { failureReplies } from './failure-replies.ts';
import { failureSample } from './failure-sample.ts';
import { referTo, withoutSamples } from './named-schemas.ts';
import { failuresOf } from './possible-failures.ts';
import type { Route } from './route.ts';
import type { RouteLine } from './route-line.ts';
import { type Sampled, sampleOf } from './sample-value.ts';
import { either } from './schema.ts';

type Json = Record<string, unknown>;

const text = { type: 'string' };
const deviceMeaning = 'Marks the device as known to the user; the cookie “DV” has the same value';
export const askMeaning = 'Proves that the caller asked for the code; the cookie “ask” has the same value';

export function responsesOf(line: RouteLine): Json {
  const { route } = line;
  const responses: Json = {
    ...interimOf(route),
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

/** What a caller of HEAD gets: the same statuses and headers, and never a body. */
export function headResponsesOf(line: RouteLine): Json {
  const responses = responsesOf(line) as Record<string, Json>;
  return Object.fromEntries(Object.entries(responses).map(([status, { content: _, ...rest }]) => [status, rest]));
}

function interimOf({ interim }: Route): Json {
  if (interim === undefined) return {};
  const { meaning, headers } = interim;
  return { 104: { description: meaning, headers: describeHeaders(headers) } };
}

export function describeHeaders(meanings: Readonly<Record<string, string>>): Json {
  return Object.fromEntries(
    Object.entries(meanings).map(([name, description]) => [name, { description, schema: text }]),
  );
}

/** Two successes with the same status are one answer of either shape. */
function successesOf(route: Route): Json {
  const { status = 200, other } = route;
  const answerHeaders = route.answerHeaders === undefined ? {} : { answerHeaders: route.answerHeaders };
  const description = route.answerMeaning ?? 'OK';
  const usual = { description, ...headersOf(route), content: successContent(route) };
  if (other === undefined) return { [status]: usual };
  const otherMeaning = successMessage('en', other.success);
  if (other.status === status && route.data !== undefined) {
    const data = either(route.data, other.data);
    const content = successContent({ ...route, data });
    const both = `${successMessage('en', route.success)} ${otherMeaning}`;
    return { [status]: { ...usual, description: both, content } };
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
    ...describeHeaders(answerHeaders),
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
  if (data === undefined) return { $ref: '#/components/schemas/Done' };
  const own = { required: ['data'], properties: { data: withoutSamples(referTo(data)) } };
  return { allOf: [{ $ref: '#/components/schemas/Success' }, own] };
}

/** A route without an example of its own gets a sample of its schema. */
function successExample({ success, data, example }: Pick<Route, 'success' | 'data' | 'example'>): Json {
  const shown = example ?? (data === undefined ? null : sampleOf(data as Sampled));
  return { example: { success: true, message: successMessage('en', success), codeError: null, data: shown } };
}

function failureResponse(codes: readonly FailureCode[]): Json {
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
    description: meaningOf(codes),
    ...(Object.keys(headers).length > 0 && { headers }),
    content: {
      'application/json': {
        schema: {
          allOf: [{ $ref: '#/components/schemas/Failure' }, { properties: { codeError: { enum: codes } } }],
        },
        // Of the first code only: one for each would double the size of the document.
        ...(first !== undefined && { example: failureExample(first) }),
      },
    },
  };
}

/** The error catalogue says when each of several codes happens. */
function meaningOf(codes: readonly FailureCode[]): string {
  const [first, another] = codes;
  return first !== undefined && another === undefined ? failureReplies[first].when : 'See codeError';
}

export function failureExample(code: FailureCode): Json {
  const message = failureMessage('en', failureSample(code));
  return { success: false, message, codeError: code, data: null };
}
