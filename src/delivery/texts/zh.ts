// Chinese (simplified): what messages to people say.
import type { MessageTexts } from './en.ts';

export const zh: MessageTexts = {
  smsOtp: '{brand}验证码：{code}，{minutes}分钟内有效。',
  loginLink: {
    subject: '登录 {brand}',
    lead: '请使用此链接登录 {brand}。链接仅可使用一次，{minutes, plural, other {# 分钟}}内有效。',
    button: '登录',
    note: '如果不是您本人的请求，请忽略此消息：没有此链接，任何人都无法登录。',
  },
  bindingOtp: {
    subject: '{code} 是您的 {brand} 验证码',
    lead: '请输入此验证码，将此地址添加到您的 {brand} 账号。验证码在 {minutes, plural, other {# 分钟}}内有效。',
    note: '如果不是您本人的请求，请忽略此消息。请勿将验证码告诉任何人。',
  },
  emailReplaced: {
    subject: '您的 {brand} 邮箱地址已更改',
    lead: '此地址已不再属于您的 {brand} 账号：另一个地址已通过确认并取代了它。',
    note: '如果不是您本人的操作，请用手机登录，结束其他会话，并重新绑定您的地址。',
  },
};
