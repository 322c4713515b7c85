// The type of the answer to a failure, and a remedy that many of them share.

export type FailureReply = {
  readonly status: number;
  /** For developers, shown in the docs: when the failure happens and what to do about it. */
  readonly when: string;
  readonly cure: string;
  /** Happens only if this setting is set. Otherwise a service does not document it. */
  readonly onlyWith?: 'SCAN_URL';
};

export const waitAndRepeat = 'Repeat the request after the time in Retry-After.';
