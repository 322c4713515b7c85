// What the landing page of a login link says, in every language.
import type { Language } from '../../kernel/language.ts';

export type LinkPageTexts = {
  readonly title: string;
  readonly checking: string;
  /** The account follows. */
  readonly confirm: string;
  readonly button: string;
  readonly done: string;
  readonly noScript: string;
};

export const linkPageTexts: Readonly<Record<Language, LinkPageTexts>> = {
  en: {
    title: 'Sign in',
    checking: 'Checking your link …',
    confirm: 'Sign in to the account',
    button: 'Sign in',
    done: 'You are signed in.',
    noScript: 'This page needs JavaScript to sign you in.',
  },
  es: {
    title: 'Iniciar sesión',
    checking: 'Comprobando el enlace …',
    confirm: 'Iniciar sesión en la cuenta',
    button: 'Iniciar sesión',
    done: 'Ha iniciado sesión.',
    noScript: 'Esta página necesita JavaScript para iniciar sesión.',
  },
  de: {
    title: 'Anmelden',
    checking: 'Ihr Link wird geprüft …',
    confirm: 'Anmelden beim Konto',
    button: 'Anmelden',
    done: 'Sie sind angemeldet.',
    noScript: 'Diese Seite braucht JavaScript, um Sie anzumelden.',
  },
  fr: {
    title: 'Se connecter',
    checking: 'Vérification de votre lien …',
    confirm: 'Se connecter au compte',
    button: 'Se connecter',
    done: 'Vous êtes connecté.',
    noScript: 'Cette page a besoin de JavaScript pour vous connecter.',
  },
  pt: {
    title: 'Entrar',
    checking: 'Verificando o seu link …',
    confirm: 'Entrar na conta',
    button: 'Entrar',
    done: 'Você entrou.',
    noScript: 'Esta página precisa de JavaScript para você entrar.',
  },
  ru: {
    title: 'Вход',
    checking: 'Проверяем вашу ссылку …',
    confirm: 'Войти в учётную запись',
    button: 'Войти',
    done: 'Вы вошли.',
    noScript: 'Для входа этой странице нужен JavaScript.',
  },
  tr: {
    title: 'Oturum aç',
    checking: 'Bağlantınız denetleniyor …',
    confirm: 'Şu hesapta oturum aç',
    button: 'Oturum aç',
    done: 'Oturumunuz açıldı.',
    noScript: 'Oturum açmak için bu sayfanın JavaScript’e ihtiyacı var.',
  },
  zh: {
    title: '登录',
    checking: '正在检查您的链接…',
    confirm: '登录账户',
    button: '登录',
    done: '您已登录。',
    noScript: '此页面需要 JavaScript 才能登录。',
  },
};
