/** Entry point of the console: one page, rendered into one element. */
import './language.ts';
import { render } from 'preact';
import { App } from './app.tsx';
import './style.css';

const root = document.getElementById('console');
if (root !== null) render(<App />, root);
