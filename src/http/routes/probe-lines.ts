// The health probes, the offer of uploads and the OpenAPI document itself, as that document lists them.
import { paths } from '../interface/paths.ts';
import type { PlainLine } from '../interface/plain-line.ts';
import { anyObject, text } from '../interface/schema.ts';

export const probeLines: readonly PlainLine[] = [
  {
    method: 'OPTIONS',
    path: paths.uploads,
    name: 'offerUploads',
    tag: 'file',
    summary: 'Ask for the limits of uploads',
    answers: {
      204: {
        meaning: 'An upload may come in several requests.',
        headers: {
          Allow: 'The methods of the address',
          'Upload-Limit': 'max-size and max-append-size in bytes, and max-age in seconds',
        },
      },
    },
  },
  {
    method: 'GET',
    path: paths.live,
    name: 'getLiveness',
    tag: 'service',
    summary: 'Whether the process runs',
    answers: { 200: { meaning: 'It runs.', type: 'text/plain', schema: text(), example: 'ok\n' } },
  },
  {
    method: 'GET',
    path: paths.ready,
    name: 'getReadiness',
    tag: 'service',
    summary: 'Whether the service takes requests',
    answers: {
      200: { meaning: 'It takes requests.', type: 'text/plain', schema: text(), example: 'ok\n' },
      503: {
        meaning: 'It starts or stops, or its database does not answer.',
        type: 'text/plain',
        schema: text(),
        example: 'store unavailable\n',
        headers: { 'Retry-After': 'Seconds to wait' },
      },
    },
  },
  {
    method: 'GET',
    path: '/openapi.json',
    name: 'getOpenapi',
    tag: 'service',
    summary: 'This document',
    answers: { 200: { meaning: 'An OpenAPI 3.1 document', schema: anyObject(), example: { openapi: '3.1.0' } } },
  },
];
