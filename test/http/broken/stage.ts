// What the suites of broken requests share: one running service and credentials that are good.
import type { Gatehouse } from '../../support/gatehouse.ts';
import type { Credentials } from '../../support/raw-request.ts';

/** Filled before the first test runs. */
export type Stage = { gatehouse: Gatehouse; good: Credentials };
