// Counts the responses of the HTTP server: requests, failures, refusals by a limit, and bytes of files.
import type { AnsweredRequest } from '../../http/server/answered-request.ts';
import type { FailureCode } from '../../kernel/failure.ts';
import type { LimitLabel, Metrics } from './metric-definitions.ts';

/** Limits that send no RateLimit headers. */
const limitsByCode: Partial<Record<FailureCode, LimitLabel>> = {
  OTP_ATTEMPTS_EXCEEDED: 'attempts',
  FILE_QUOTA_EXCEEDED: 'file-quota',
};

export function countAnswers({ request, count }: Metrics): (answer: AnsweredRequest) => void {
  return ({ method, route, status, seconds, failure, fileBytes }) => {
    request(method, route, status, seconds);
    if (failure !== undefined) {
      count('failures', { route, code: failure.code });
      const limit = failure.quota ?? limitsByCode[failure.code];
      if (limit !== undefined) count('limits_struck', { limit });
    }
    if (fileBytes > 0) count('file_bytes', { direction: 'out' }, fileBytes);
  };
}
