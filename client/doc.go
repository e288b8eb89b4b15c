// Package client calls the hub, typed by the contract: client/operations.graphql holds what is asked, generated.go is
// made of it and of schema.graphqls. Every call is made once; an *Error says whether and when to repeat it.
package client
