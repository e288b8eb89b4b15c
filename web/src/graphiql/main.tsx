import { createRoot } from 'react-dom/client';
import { Page } from './page';
import './page.css';

createRoot(document.getElementById('root')!).render(<Page />);
