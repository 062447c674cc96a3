/** How messages name the command of the market store. */
import { expect, it } from 'vitest';
import { marketCommand } from '#src/host/market-command.js';

const named = (entry: string, env: NodeJS.ProcessEnv = {}) => marketCommand({ argv: ['node', entry], env });

it('The market command is named as whoever started the process can call it', () => {
  expect(named('/usr/bin/collateral-risk-engine')).toBe('collateral-risk-engine market');
  expect(named('/app/dist/main.js', { npm_package_name: 'collateral-risk-engine' })).toBe(
    'npm run market --',
  );
  expect(named('/app/dist/main.js', { npm_package_name: 'desk' })).toBe('node dist/cli/main.js market');
  expect(named('/app/dist/main.js')).toBe('node dist/cli/main.js market');
});
