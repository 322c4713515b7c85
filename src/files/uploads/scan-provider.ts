// The type of a scan provider: how to create the scanner that SCAN_URL names, and what the doctor asks it.
import type { Provider } from '../../kernel/net/provider.ts';
import type { ProviderUrl } from '../../kernel/net/provider-url.ts';
import type { Scanner } from './scanner.ts';

/** What a scanner says about itself. */
export type ScannerState = {
  /** Name and version. */
  readonly name: string;
  /** The age of its signatures. Undefined if it does not say. */
  readonly signaturesAt: number | undefined;
  /** It finds the harmless test file that every scanner knows. */
  readonly findsTestFile: boolean;
  /** It takes a file of the given size. */
  readonly takesLargest: boolean;
};

export type ScannerQuestion = {
  /** The size of the largest file that the purposes allow. */
  readonly largestBytes: number;
  readonly signal: AbortSignal;
};

export type ScanProvider = Provider & {
  createScanner(url: ProviderUrl, mostAtOnce: number): Promise<Scanner>;
  /** Throws an error that says what is wrong if the scanner does not answer. */
  ask(url: ProviderUrl, question: ScannerQuestion): Promise<ScannerState>;
};
