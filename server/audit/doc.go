// Package audit holds the GraphQL over HTTP audits: npm's graphql-http, pinned, run by audit.mjs against any endpoint
// and by the test beside it against the hub.
package audit
