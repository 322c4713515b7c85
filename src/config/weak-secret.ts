// Finds out whether a secret is one that a stranger would try first: nearly always the same characters, or a placeholder.

/** What is wrong with the secret, as the end of a sentence that begins with its name. Undefined if nothing is. */
export function weaknessOf(secret: string): string | undefined {
  const least = hexadecimal.test(secret) ? leastHexadecimal : leastDistinct;
  if (new Set(secret).size < least) return 'has too few different characters';
  const plain = secret.toLowerCase().replace(/[^a-z\d]/g, '');
  return placeholders.some((known) => plain.includes(known))
    ? 'is a placeholder or an example that everybody knows'
    : undefined;
}

const leastDistinct = 12;
/** 32 random digits of sixteen have fewer than twelve different ones in one case of sixty, and fewer than eight once in 28 million. */
const leastHexadecimal = 8;
const hexadecimal = /^(?=.*[a-f])(?=.*\d)[\da-f:_-]+$/i;

/** Letters and digits that sample configurations have instead of a secret. Each is too long to occur in random text. */
const placeholders = [
  'changeme',
  'changethis',
  'changeit',
  'pleasechange',
  'replaceme',
  'replacethis',
  'replacewith',
  'tobemodified',
  'placeholder',
  'yoursecret',
  'yoursuper',
  'youmustgenerate',
  'generateanewkey',
  'masterkeyneeds',
  'opensslrand',
  'atleast256bit',
  'djangoinsecure',
  'somerandomstring',
  'insertyour',
  'enteryour',
  'putyouruniq',
  'keyboardcat',
  // Samples that look random: of the Supabase, Directus and Standard Webhooks documentation.
  'upnvntn3cdxhjpq99ymc1t1aqgqpc8kf',
  '255d861b5ea159969aa3922530ec40b1',
  'mfkq9r8gkyqrtwjupd8ilpzio2lalasw',
];
