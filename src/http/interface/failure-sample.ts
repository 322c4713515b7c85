// A failure of each code with invented values, for the examples of the documentation.
import type { FailureCode, PlainCode, Refusal } from '../../kernel/failure.ts';
import type { FailureDetails } from '../../kernel/failure-details.ts';

type Samples = { readonly [C in Exclude<FailureCode, PlainCode>]: FailureDetails[C] } & {
  readonly [C in PlainCode]?: FailureDetails[C];
};

const [wait, limit, list] = [{ retryAfterSeconds: 30 }, { limit: '5 MiB' }, { list: 'avatar, image' }];

const samples: Samples = {
  REQUEST_INVALID: { field: 'recipient' },
  MEDIA_TYPE_UNSUPPORTED: list,
  BODY_TOO_LARGE: limit,
  METHOD_NOT_ALLOWED: { allow: 'GET' },
  RATE_LIMITED: wait,
  PHONE_NEEDS_PROOF: { proofTicket: 'ticket' },
  CAPTCHA_UNAVAILABLE: wait,
  OTP_RESEND_TOO_SOON: wait,
  OTP_SEND_LIMIT: wait,
  SMS_SUSPENDED: wait,
  OTP_INVALID: { left: 3 },
  OTP_ATTEMPTS_EXCEEDED: wait,
  STAFF_ROLE_REQUIRED: list,
  SERVICE_SCOPE_MISSING: list,
  SERVICE_KEYS_FULL: { limit: '100' },
  USER_DATA_TOO_LARGE: { field: 'recipient', ...limit },
  FILE_PURPOSE_REQUIRED: list,
  FILE_PURPOSE_UNKNOWN: list,
  FILE_TOO_LARGE: limit,
  FILE_TYPE_NOT_ALLOWED: list,
  FILE_IMAGE_TOO_LARGE: { limit: '50 MP, 8000 px' },
  RANGE_NOT_SATISFIABLE: { contentRange: 'bytes */5' },
  UPLOAD_IN_PROGRESS: wait,
  UPLOAD_OFFSET_WRONG: { uploadOffset: 0 },
  STORAGE_UNAVAILABLE: wait,
  SERVICE_UNAVAILABLE: wait,
  SERVICE_STOPPING: wait,
  INTERNAL_ERROR: { requestId: '0192a6da' },
};

export function failureSample(code: FailureCode): Refusal {
  return { code, detail: samples[code] ?? {} } as Refusal;
}
