// Settings under which a test may send as many codes as it wants.
export const noSendLimits = {
  OTP_RESEND_AFTER: 'off',
  LIMIT_SENDS_PER_IP: 'off',
  LIMIT_SENDS_PER_RECIPIENT: 'off',
  SMS_LIMIT_PER_PREFIX: 'off',
  SMS_UNUSED_SHARE: 'off',
};
