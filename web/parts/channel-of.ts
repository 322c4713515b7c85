// By which channel the code for a proof is sent.
import type { ProofWay } from '../../client/src/proof-calls.ts';
import type { Channel } from './channel.ts';

export const channelOf: Readonly<Record<ProofWay, Channel>> = { phone: 'sms', email: 'mail' };
