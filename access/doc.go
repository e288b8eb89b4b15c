// Package access knows who calls: roles, tokens and their text form, the login and its limits, and the caller that
// a request's context carries. It knows nothing of HTTP or the database: who keeps the tokens implements Tokens.
package access
