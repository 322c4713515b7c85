// The schemas of a failed answer, which every operation of the OpenAPI document refers to.
import type { FailureCode } from '../../kernel/failure.ts';

export function failureSchemas(codes: readonly FailureCode[]) {
  return {
    FailureCode: { type: 'string', enum: codes },
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
