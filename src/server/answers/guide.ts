/**
 * The guide: the documents of this version as pages and as Markdown below /docs/guide, and /llms.txt, which lists them. None needs a key.
 *
 * The build writes the pages (docs/tools/make-guide.mjs). They are read at the first request for one of them.
 */
import type { Middleware } from '../transport/context.ts';
import { readStaticSite, type StaticSite, serving } from '../transport/static-site.ts';
import { HttpRefusal } from './problem.ts';

const GUIDE_PATH = '/docs/guide';
const LLMS_PATH = '/llms.txt';
/** Output folder of the build: files at the paths of the server. */
const FOLDER = new URL('../../guide/', import.meta.url);

/** The middleware of the pages by route. */
export function guideRoutes(folder = FOLDER): readonly (readonly [route: string, answer: Middleware])[] {
  let read: Promise<StaticSite> | undefined;
  const answer: Middleware = async (ctx, next) => {
    // Files that could not be read are read again.
    read ??= readStaticSite(folder).catch((error: unknown) => {
      read = undefined;
      throw error;
    });
    // A table of addresses: the path of a request is never the path of a file.
    const file = (await read).get(ctx.path);
    if (file === undefined) throw new HttpRefusal(404, 'The guide has no page at this path.');
    await serving(file)(ctx, next);
  };
  return [
    [LLMS_PATH, answer],
    // Links of the first page are relative to the slash.
    [GUIDE_PATH, async ctx => ctx.redirect('guide/')],
    [`${GUIDE_PATH}/{*page}`, answer],
  ];
}
