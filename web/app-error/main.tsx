// Entry point of the page that says why an app cannot sign anybody in.
import { mount } from '../parts/mount.tsx';
import { AppErrorPage } from './app-error-page.tsx';

mount(<AppErrorPage />);
