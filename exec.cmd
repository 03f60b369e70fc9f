@rem Scripts of package.json begin with exec, so that signals reach the program and not a shell. cmd.exe has no such word.
@call %*
