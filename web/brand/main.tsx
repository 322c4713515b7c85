// Entry point of the preview of the brand, in local mode.
import { mount } from '../parts/mount.tsx';
import { BrandPage } from './brand-page.tsx';

mount(<BrandPage />);
