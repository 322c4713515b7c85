// The client of the pages that need no files: the one that apps use, without the calls about files.
import { createCore } from '../../client/src/create-core.ts';
import { clientOptions } from './client-options.ts';

export const gatehouse = createCore(clientOptions).calls;
