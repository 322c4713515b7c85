// A harmless check of a provider: is it reachable, and does it accept our credentials? It sends no message.

export type ProviderAnswer =
  | { readonly isGood: true; readonly detail: string }
  | { readonly isGood: false; readonly cause: string };

export type ProviderCheck = {
  /** The name of the provider in the settings. */
  readonly name: string;
  /** The connection is not encrypted. */
  readonly isPlain?: boolean;
  ask(signal: AbortSignal): Promise<ProviderAnswer>;
};
