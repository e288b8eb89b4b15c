// Package sse writes a stream of server-sent events as graphql-sse has them in its distinct connections mode: an
// operation has a response of its own, `next` events bear its answers, and `complete` follows the last one.
package sse
