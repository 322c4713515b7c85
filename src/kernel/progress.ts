// How far long work has come, told to whoever wants to show it.

export type Progress = (step: {
  readonly done: number;
  /** As far as it is known. */
  readonly total: number;
  readonly bytes: number;
  readonly what: string;
}) => void;
