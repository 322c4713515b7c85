// Fields that several routes share, with length limits that are checked before any other processing.
import { named, object, text } from '../interface/schema.ts';

export const phoneField = (description: string) => text({ maxLength: 64, description, examples: ['+12025550123'] });

export const emailField = (description: string) => text({ maxLength: 320, description, examples: ['ann@example.com'] });

export const otpField = text({
  minLength: 1,
  maxLength: 32,
  description: 'The one-time code',
  examples: ['123456'],
});

export const linkTokenField = text({
  minLength: 1,
  maxLength: 256,
  description: 'The token from the fragment of the sign-in link',
});

export const noticeTokenField = text({
  minLength: 1,
  maxLength: 256,
  description: 'The token from the fragment of the link in a notice',
});

export const ticketField = text({
  minLength: 1,
  maxLength: 512,
  description: 'The header proof-ticket of the sign-in that failed with PHONE_NEEDS_PROOF',
});

export const tokenPairFields = {
  JWT: text({ description: 'Access token (a JSON Web Token)' }),
  RT: text({ description: 'Refresh token' }),
};

export const tokenPair = named('TokenPair', object(tokenPairFields));

export const tokenPairExample = { JWT: 'eyJhbGciOiJFUzI1NiIs…', RT: 'AYrxAZKm2s5wcJ…' };

export const isoTime = text({ format: 'date-time' });
