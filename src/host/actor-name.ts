/** Who acts, for records. */
import { userInfo } from 'node:os';

/** The name of the user of this process; its number where it has no name, as in many containers. */
export function actorName(): string {
  try {
    return userInfo().username;
  } catch {
    return `uid ${process.getuid?.() ?? 'unknown'}`;
  }
}
