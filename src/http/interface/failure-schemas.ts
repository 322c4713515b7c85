// The schemas of the envelope, which every operation of the OpenAPI document refers to.
import type { FailureCode } from '../../kernel/failure.ts';

const required = ['success', 'message', 'codeError', 'data'];
const message = { type: 'string', description: 'Can be shown to the user; follows Accept-Language' };

/** The envelope of an answer with data, and of one without. */
export const successSchemas = {
  Success: {
    type: 'object',
    required,
    properties: { success: { const: true }, message, codeError: { type: 'null' }, data: {} },
  },
  Done: {
    type: 'object',
    required,
    properties: { success: { const: true }, message, codeError: { type: 'null' }, data: { type: 'null' } },
  },
};

export function failureSchemas(codes: readonly FailureCode[]) {
  return {
    FailureCode: { type: 'string', enum: codes },
    Failure: {
      type: 'object',
      required,
      properties: {
        success: { const: false },
        message,
        codeError: { $ref: '#/components/schemas/FailureCode' },
        data: { type: 'null' },
      },
    },
  };
}
