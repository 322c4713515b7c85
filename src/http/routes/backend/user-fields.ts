// Fields that the calls of the back end about users share.
import { object, text } from '../../interface/schema.ts';

export const userParams = object({ id: text({ description: 'User id' }) });

const reasonField = text({
  maxLength: 400,
  description: 'Why, for the audit log',
  examples: ['order 4711 was charged back'],
});

/** The reason of an act may be left out, and so may the body. */
export const reasonBody = object({}, { reason: reasonField });
