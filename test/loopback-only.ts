// Loaded before the test files of a process, and inherited by what they start: no test asks a public node.
process.env.RPC_URL_PUBLIC = 'off'
