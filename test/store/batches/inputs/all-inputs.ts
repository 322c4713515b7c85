// Inputs for every operation of the store. A new operation without inputs does not compile.

import type { AllInputs } from '../inputs.ts';
import { appInputs } from './app-inputs.ts';
import { countInputs } from './count-inputs.ts';
import { houseInputs } from './house-inputs.ts';
import { importInputs } from './import-inputs.ts';
import { logInputs } from './log-inputs.ts';
import { phoneInputs } from './phone-inputs.ts';
import { scheduledPhoneInputs } from './scheduled-phone-inputs.ts';
import { backendInputs } from './service-inputs.ts';
import { sharingInputs } from './sharing-inputs.ts';
import { signInInputs } from './sign-in-inputs.ts';
import { standingInputs } from './standing-inputs.ts';
import { trashInputs } from './trash-inputs.ts';
import { uploadInputs } from './upload-inputs.ts';
import { userInputs } from './user-inputs.ts';

export const allInputs: AllInputs = {
  ...signInInputs,
  ...phoneInputs,
  ...scheduledPhoneInputs,
  ...userInputs,
  ...uploadInputs,
  ...trashInputs,
  ...houseInputs,
  ...countInputs,
  ...standingInputs,
  ...logInputs,
  ...backendInputs,
  ...importInputs,
  ...appInputs,
  ...sharingInputs,
};
