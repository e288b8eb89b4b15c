// Package trial runs a real server over the real schema for tests, with resolvers that say what the test wants.
package trial
