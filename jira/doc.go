// Package jira speaks with one Jira, be it Server and Data Center (REST v2) or Cloud (REST v3), in the words of
// neither: an issue, a link or a sprint looks the same from here, and text is plain text.
//
// Connect finds out which Jira it is. Every call takes a context, has a time limit of its own and reads a bounded
// answer; none is ever repeated here, since only the caller knows whether a second try is safe. What goes wrong is an
// *Error of one Kind, in Jira's own words.
package jira
