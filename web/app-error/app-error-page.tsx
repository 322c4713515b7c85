// Says why an app cannot sign anybody in. There is no way back to the app, because its address is not known to be good.
import type { Texts } from '../../locales/languages.ts';
import { brand } from '../parts/brand.ts';
import '../parts/form-parts.css';
import { type AppError, facts, pageTexts } from '../parts/page-data.ts';
import { PageFrame } from '../parts/page-frame.tsx';

type Pages = Texts['pages'];

const texts = pageTexts<Pages['common'] & Pages['app-error']>();

const reasons: Readonly<
  Record<Exclude<AppError['reason'], 'later'>, { title: string; message: string; cure: string }>
> = {
  'unknown-app': texts.unknownApp,
  'redirect-uri': texts.wrongAddress,
  'logout-uri': texts.wrongAddress,
  request: texts.wrongRequest,
  expired: texts.expired,
};

export function AppErrorPage() {
  const { reason, appName, description } = facts.appError ?? { reason: 'request', appName: null, description: '' };
  const { title, message, cure } =
    reason === 'later' ? { title: texts.title, message: description, cure: undefined } : reasons[reason];
  document.title = `${title} · ${brand.name}`;
  return (
    <PageFrame texts={texts} current="" width="narrow" links={[]}>
      <div class="card step">
        {appName !== null && (
          <p class="lead">
            <bdi>{appName}</bdi>
          </p>
        )}
        <h1>{title}</h1>
        <p class="lead">{message}</p>
        {cure !== undefined && <p>{cure}</p>}
        {reason !== 'later' && (
          <details class="hint">
            <summary>{texts.forDevelopers}</summary>
            <p lang="en">{description}</p>
          </details>
        )}
      </div>
    </PageFrame>
  );
}
