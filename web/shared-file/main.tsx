// Entry point of the page of a shared file.
import { mount } from '../parts/mount.tsx';
import { SharedFilePage } from './shared-file-page.tsx';

mount(<SharedFilePage />);
