// Masks a recipient, by channel.
import { maskEmail, maskPhone } from '../../kernel/text/mask.ts';
import type { Channel } from '../channel.ts';

export const maskTo: Readonly<Record<Channel, (to: string) => string>> = { sms: maskPhone, mail: maskEmail };
