// Masks a recipient, by channel.
import { maskAddressText, maskNumberText } from '../../kernel/text/mask.ts';
import type { Channel } from '../channel.ts';

export const maskTo: Readonly<Record<Channel, (to: string) => string>> = { sms: maskNumberText, mail: maskAddressText };
