// Portuguese: what messages to people say.
import type { MessageTexts } from './en.ts';

export const pt: MessageTexts = {
  smsOtp: 'PIN {brand}: {code}. Expira em {minutes} min.',
  loginLink: {
    subject: 'Acesse a sua conta {brand}',
    lead: 'Use este link para entrar na sua conta {brand}. Ele funciona uma única vez, durante {minutes, plural, one {# minuto} other {# minutos}}.',
    button: 'Entrar',
    note: 'Se você não pediu isto, ignore esta mensagem: ninguém entra sem o link.',
  },
  bindingOtp: {
    subject: '{code} é o seu código {brand}',
    lead: 'Digite este código para adicionar este endereço à sua conta {brand}. Ele é válido por {minutes, plural, one {# minuto} other {# minutos}}.',
    note: 'Se você não pediu isto, ignore esta mensagem. Não informe o código a ninguém.',
  },
  emailReplaced: {
    subject: 'O endereço de e-mail da sua conta {brand} foi alterado',
    lead: 'Este endereço não pertence mais à sua conta {brand}: outro foi confirmado no lugar dele.',
    note: 'Se não foi você, entre pelo telefone, encerre as suas outras sessões e vincule o seu endereço novamente.',
  },
};
