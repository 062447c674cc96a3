/**
 * The members that an answer holds beside the three of the interface, where `?include` asks for them.
 */
import { z } from 'zod';
import { WARNING_CODES, WARNINGS } from '../core/warnings.ts';
import { distribution } from './distribution.ts';

const meanings = Object.entries(WARNINGS)
  .map(([code, meaning]) => `\`${code}\`: ${meaning}`)
  .join(' ');

const warning = z.strictObject({
  code: z.enum(WARNING_CODES).meta({
    description: `Name of the warning, as in the header x-warnings. ${meanings}`,
  }),
  message: z.string().min(1).meta({ description: 'What to know before relying on the figures.' }),
});

/** A schema for each name of `include`, by the member that it adds. */
export const includedMembers = {
  Accuracy: z
    .looseObject({})
    .meta({ description: 'Standard errors and intervals, nested as the result is.' })
    .optional(),
  Distribution: distribution.optional(),
  Model: z
    .looseObject({})
    .meta({ description: 'The model as fitted, and the window it was fitted to.' })
    .optional(),
  Plan: z.looseObject({}).meta({ description: 'The simulation plan that the engine ran.' }).optional(),
  Warnings: z
    .array(warning)
    .meta({ description: 'Everything the header x-warnings names, in sentences.' })
    .optional(),
};
