// Package trial tries the hub from outside as its worst day would: two hundred clients at once, kill -9 of hub and of
// Postgres in the middle of the work, and the places and ways in which people start and end it. It knows the hub by its
// program, its GraphQL contract and, to read only, its tables. The package is nothing but tests.
//
// It takes what CI has the time for; a longer trial says more, such as
//
//	go test ./trial -run TestACrowd -v -trial.crowd=10000
//
// for which neither the hubs nor the crowd can have the race detector.
package trial
