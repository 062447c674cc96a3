/** The configuration of a command: the variables that it reads of those of a server. */
import { type Config, loadConfig } from './config.ts';
import { SETTINGS } from './settings.ts';

/** The variables of a command that answers in its own process: data, engines and their limits. */
const OF_COMMANDS: readonly string[] = [
  SETTINGS.marketDb.variable,
  SETTINGS.marketRules.variable,
  SETTINGS.marketKeepDays.variable,
  SETTINGS.compute.variable,
  SETTINGS.softwareGpu.variable,
  SETTINGS.native.variable,
  SETTINGS.cpuThreads.variable,
  SETTINGS.maxWorkCpu.variable,
  SETTINGS.maxWorkGpu.variable,
  SETTINGS.requestTimeoutSeconds.variable,
  SETTINGS.jobTimeoutSeconds.variable,
  SETTINGS.maintenanceMargins.variable,
  SETTINGS.scenarios.variable,
  SETTINGS.venues.variable,
];

/** The configuration of a command, which reads no variable of a server. @throws ConfigError */
export const loadCommandConfig = (env: Parameters<typeof loadConfig>[0]): Config =>
  loadConfig(Object.fromEntries(OF_COMMANDS.map(name => [name, env[name]])));
