// The result of a proof: what a file is, or why it is refused.
import type { FileRule } from './file-rule.ts';
import type { FileBytes, MediaType } from './media-type.ts';

export type Proof =
  /** The prover read the whole structure to the end of the file. Only behind a JPEG may other bytes follow: they are not stored. */
  | {
      readonly kind: 'proved';
      readonly type: MediaType;
      readonly width?: number;
      readonly height?: number;
      /** Of a text: what the bytes show. An 8-bit encoding looks like any other, and is called windows-1252. */
      readonly charset?: string;
    }
  /** The file begins like this type, but is broken, truncated, or followed by other data. `reason` is for the log. */
  | { readonly kind: 'corrupt'; readonly type: MediaType; readonly reason: string }
  /** The file is whole, but a rule excludes it. Without a type, the rule is the reason why it has none. */
  | { readonly kind: 'excluded'; readonly type: MediaType | undefined; readonly rule: FileRule };

/** Returns undefined if the file does not begin like a type that this prover knows. */
export type Prover = (file: FileBytes) => Proof | undefined;

export function proved(type: MediaType, size?: { width: number; height: number }): Proof {
  return { kind: 'proved', type, ...size };
}

/** The caller decides between the types of text. */
export function provedText(charset: string): Proof {
  return { kind: 'proved', type: 'text/plain', charset };
}

/** 8-bit encodings look alike, so all get the name of the most frequent one. */
export const any8Bit = 'windows-1252';

/** The weakest proof: the bytes contain no control character, but are no Unicode. */
export function is8BitText(proof: Proof): boolean {
  return proof.kind === 'proved' && proof.charset === any8Bit;
}

export function corrupt(type: MediaType, reason: string): Proof {
  return { kind: 'corrupt', type, reason };
}

export function excluded(type: MediaType | undefined, rule: FileRule): Proof {
  return { kind: 'excluded', type, rule };
}

/** Why a prover refuses a file: a defect, described for the log, or the rule that excludes it. */
export type Objection = string | { readonly rule: FileRule };

/** For readers that return what they read, or their objection. What they read has no `rule`. */
export function isObjection(value: Objection | object): value is Objection {
  return typeof value === 'string' || 'rule' in value;
}

export function refused(type: MediaType, objection: Objection): Proof {
  return typeof objection === 'string' ? corrupt(type, objection) : excluded(type, objection.rule);
}
