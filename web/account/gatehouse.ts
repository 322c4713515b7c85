// The client of the account page: the same one that apps use.
import { createGatehouse } from '../../client/src/create-gatehouse.ts';
import { clientOptions } from '../parts/client-options.ts';

export const gatehouse = createGatehouse(clientOptions);
