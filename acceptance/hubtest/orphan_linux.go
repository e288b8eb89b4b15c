package hubtest

import "syscall"

// endWithCaller lets a hub end with the test's process, also where that dies of
// a panic or a time limit and calls no Stop.
func endWithCaller() *syscall.SysProcAttr {
	return &syscall.SysProcAttr{Pdeathsig: syscall.SIGTERM}
}
