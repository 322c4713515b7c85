// Runs calls that need a recent sign-in. Where the service asks for a proof, a dialog asks for the code, and the call goes on.
import type { VNode } from 'preact';
import { useState } from 'preact/hooks';
import type { ProofWay } from '../../client/src/proof-calls.ts';
import { findNewest } from '../parts/inbox-messages.ts';
import { gatehouse } from './gatehouse.ts';
import { type AskedCode, ProofDialog, type ProofRecipients } from './proof-dialog.tsx';

/** Runs the call, and again after the proof. The code goes to the phone if there is one, or by `via`. */
export type Prove = <T>(call: () => Promise<T>, via?: ProofWay) => Promise<T>;

export function useProof(recipients: ProofRecipients): { readonly prove: Prove; readonly dialog: VNode | null } {
  const [asked, setAsked] = useState<AskedCode | undefined>();
  const prove: Prove = async (call, via) => {
    const { phone, email } = recipients;
    const newestBefore = {
      phone: phone === null ? undefined : await findNewest(phone),
      email: email === null ? undefined : await findNewest(email),
    };
    try {
      return await gatehouse.withProof(
        call,
        (wanted) => new Promise((answer) => setAsked({ ...wanted, answer, newestBefore })),
        via ?? (phone === null ? 'email' : 'phone'),
      );
    } finally {
      setAsked(undefined);
    }
  };
  return { prove, dialog: asked === undefined ? null : <ProofDialog asked={asked} recipients={recipients} /> };
}
