// Shows a step of the sign-in.
import { showCodeStep } from './code-step.ts';
import { showEmailStep, showMailedStep } from './email-step.ts';
import { showPhoneStep } from './phone-step.ts';
import { showClaimStep, showRecycledStep } from './recycled-step.ts';
import type { Scene, Step, View } from './scene.ts';

export function showStep(scene: Scene, step: Exclude<Step, { name: 'done' }>): View {
  switch (step.name) {
    case 'phone':
      return showPhoneStep(scene);
    case 'email':
      return showEmailStep(scene);
    case 'code':
      return showCodeStep(scene, step);
    case 'mailed':
      return showMailedStep(scene, step);
    case 'recycled':
      return showRecycledStep(scene, step);
    case 'claim':
      return showClaimStep(scene, step);
  }
}
