// Shared by the suites of broken requests: one running service and valid credentials.
import type { Gatehouse } from '../../helpers/gatehouse.ts';
import type { Credentials } from '../../helpers/raw-request.ts';

/** Filled before the first test runs. */
export type Stage = { gatehouse: Gatehouse; good: Credentials };
