// Shared by the suites of broken requests: one running service and valid credentials.
import type { Gatehouse } from '../../support/gatehouse.ts';
import type { Credentials } from '../../support/raw-request.ts';

/** Filled before the first test runs. */
export type Stage = { gatehouse: Gatehouse; good: Credentials };
