// Shared by the suites of broken requests: one running service and valid credentials.

import type { Credentials } from '../../helpers/requests/raw-request.ts';
import type { Gatehouse } from '../../helpers/services/gatehouse.ts';

/** Filled before the first test runs. */
export type Stage = { gatehouse: Gatehouse; good: Credentials };
