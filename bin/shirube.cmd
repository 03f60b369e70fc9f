@node "%~dp0shirube.mjs" %*
