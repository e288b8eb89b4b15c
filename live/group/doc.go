// Package group runs subscriptions, and those that ask for the same thing only once. Each subscription begins as a run of
// its own. Runs of the same operation, variables (but for `after`) and audience that meet at a position become one: an
// event is then executed and encoded once, and the bytes are handed to every member.
//
// A run goes step by step, in one goroutine: it takes what comes next from the log, makes the answer of it and hands that
// out before it looks on. So it always knows up to where its members have everything. Between two steps it may join
// another run that is not ahead of it; its members then pass over what they have had. A member that is too slow for the
// others leaves and goes on alone from its own position, and may join again.
package group
