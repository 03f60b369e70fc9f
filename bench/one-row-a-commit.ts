// Loaded into a server before its own code: every write waits for the commit of the one before, as if commits were not shared.
import { GroupCommit } from '../src/store/group-commit.ts'

const shared = GroupCommit.prototype.write
const lastOf = new WeakMap<GroupCommit, Promise<unknown>>()

GroupCommit.prototype.write = function (this: GroupCommit, touches, work) {
  const write = () => shared.call(this, touches, work) as Promise<never>
  const turn = (lastOf.get(this) ?? Promise.resolve()).then(write, write)
  lastOf.set(this, turn)
  return turn
}
