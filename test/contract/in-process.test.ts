import { describeDirectory } from './directory.ts'

describeDirectory('in process', ({ app }) => app.directory)
