// A harmless question to a provider: whether it is there and takes our credentials. Nothing is sent to anybody.

export type ProviderAnswer =
  | { readonly isGood: true; readonly detail: string }
  | { readonly isGood: false; readonly cause: string };

export type ProviderCheck = {
  /** The provider, as settings call it. */
  readonly name: string;
  /** What is said to it can be read on the way. */
  readonly isPlain?: boolean;
  ask(signal: AbortSignal): Promise<ProviderAnswer>;
};
