// Package model tells the rules of the hub a second time: small, in plain Go, without a database and without speed.
// Its tests run random sequences of every verb on the hub over a real Postgres, do the same here, and compare the two
// after each step.
//
// It is written from the requirement and takes only plain types from package queue, none of its rules; a test holds
// that. Where the requirement is silent, a comment says so and the model follows the hub.
package model
