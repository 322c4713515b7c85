// Turkish: what messages to people say.
import type { MessageTexts } from './en.ts';

export const tr: MessageTexts = {
  smsOtp: '{brand} kodu: {code}. Süre: {minutes} dk.',
  loginLink: {
    subject: '{brand} hesabınızda oturum açın',
    lead: '{brand} hesabınızda oturum açmak için bu bağlantıyı kullanın. Bağlantı {minutes, plural, other {# dakika}} içinde, yalnızca bir kez çalışır.',
    button: 'Oturum aç',
    note: 'Bunu siz istemediyseniz bu mesajı dikkate almayın: bağlantı olmadan kimse giriş yapamaz.',
  },
  bindingOtp: {
    subject: '{brand} kodunuz: {code}',
    lead: 'Bu adresi {brand} hesabınıza eklemek için bu kodu girin. Kod {minutes, plural, other {# dakika}} geçerlidir.',
    note: 'Bunu siz istemediyseniz bu mesajı dikkate almayın. Kodu kimseyle paylaşmayın.',
  },
  emailReplaced: {
    subject: '{brand} e-posta adresiniz değiştirildi',
    lead: 'Bu adres artık {brand} hesabınıza ait değil: yerine başka bir adres onaylandı.',
    note: 'Bunu siz yapmadıysanız telefonla oturum açın, diğer oturumlarınızı sonlandırın ve adresinizi yeniden bağlayın.',
  },
};
