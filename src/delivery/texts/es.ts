// Spanish: what messages to people say.
import type { MessageTexts } from './en.ts';

export const es: MessageTexts = {
  smsOtp: 'Clave {brand}: {code}. Vence en {minutes} min.',
  loginLink: {
    subject: 'Iniciar sesión en {brand}',
    lead: 'Use este enlace para iniciar sesión en {brand}. Funciona una sola vez, durante {minutes, plural, one {# minuto} other {# minutos}}.',
    button: 'Iniciar sesión',
    note: 'Si no lo ha solicitado, ignore este mensaje: nadie puede entrar sin el enlace.',
  },
  bindingOtp: {
    subject: '{code} es su código de {brand}',
    lead: 'Introduzca este código para añadir esta dirección a su cuenta de {brand}. Es válido durante {minutes, plural, one {# minuto} other {# minutos}}.',
    note: 'Si no lo ha solicitado, ignore este mensaje. No comparta el código con nadie.',
  },
  emailReplaced: {
    subject: 'Se ha cambiado su dirección de correo electrónico de {brand}',
    lead: 'Esta dirección ya no pertenece a su cuenta de {brand}: se ha confirmado otra en su lugar.',
    note: 'Si no ha sido usted, inicie sesión con su teléfono, cierre sus otras sesiones y vuelva a vincular su dirección.',
  },
};
