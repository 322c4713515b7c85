// Faults that a search must find when it starts from valid inputs only: each breaks one line of the service.
import { mediaFaults } from '../../media/test/fuzz/planted-faults.ts';
import type { KnownFault } from './known-fault.ts';

export const knownFaults: readonly KnownFault[] = [
  ...mediaFaults,
  {
    name: 'a form that is too large in chunks that are not',
    target: 'multipart',
    file: 'src/http/transfer/multipart-parts.ts',
    find: 'if (size > bytes) throw refusal;',
    replace: 'if (chunk.length > bytes) throw refusal;',
    signature: /too large/,
  },
  {
    name: 'two spellings of one access token',
    target: 'access-token',
    file: 'src/auth/tokens/jwt.ts',
    find: 'if (parts.length !== 3 || parts.some((part) => !isCanonical(part)))',
    replace: 'if (parts.length !== 3)',
    signature: /AssertionError/,
  },
  {
    name: 'two spellings of one refresh token',
    target: 'refresh-token',
    file: 'src/auth/tokens/refresh-token.ts',
    find: "bytes.toString('base64url') === text",
    replace: 'true',
    signature: /another spelling/,
  },
  {
    name: 'an expired ask token',
    target: 'ask-token',
    file: 'src/auth/codes/ask-token.ts',
    find: 'now >= bytes.readUInt32BE(3 + idLength) * 1000',
    replace: 'now / 1000 > bytes.readUInt32BE(3 + idLength) * 1000',
    signature: /expired/,
  },
  {
    name: 'a captcha that expired long ago',
    target: 'captcha-token',
    file: 'src/adapters/captcha/altcha-captcha.ts',
    find: 'if (now >= expiresAt) return undefined;',
    replace: 'if (now >= expiresAt && expiresAt > 1000) return undefined;',
    signature: /forgotten at once/,
  },
  {
    name: 'two different cookies of one name',
    target: 'cookies',
    file: 'src/http/interface/cookies.ts',
    find: 'if (new Set(values).size > 1)',
    replace: 'if (new Set(values).size > 1 && values.length > 2)',
    signature: /not the only one/,
  },
  {
    name: 'two ranges that overlap by one byte',
    target: 'byte-ranges',
    file: 'src/http/transfer/byte-ranges.ts',
    find: 'range.start <= other.end + 1 && other.start <= range.end + 1',
    replace: 'range.start < other.end && other.start < range.end',
    signature: /overlap/,
  },
  {
    name: 'a header of a stranger that counts',
    target: 'client-address',
    file: 'src/http/server/client-address.ts',
    find: 'if (address === undefined || !isTrusted(address)) break;',
    replace: 'if (address === undefined || (!isTrusted(address) && hop.length > 2)) break;',
    signature: /stranger/,
  },
  {
    name: 'a NUL in a name deep inside a JSON body',
    target: 'json-body',
    file: 'src/http/server/json-body.ts',
    find: 'if (!isPlainText(name))',
    replace: 'if (entry.depth < 3 && !isPlainText(name))',
    signature: /dangerous name/,
  },
];
