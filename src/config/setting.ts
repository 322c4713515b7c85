// One setting, as the table of settings describes it.
export type Setting = {
  readonly default: string;
  readonly meaning: string;
  /** A secret can also be read from the file that NAME_FILE names, and is never printed. */
  readonly secret?: true;
};
