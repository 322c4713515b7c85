// The callback by which long-running work reports its progress.

export type Progress = (step: {
  readonly done: number;
  /** As far as it is known. */
  readonly total: number;
  readonly bytes: number;
  readonly what: string;
}) => void;
