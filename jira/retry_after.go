package jira

import (
	"net/http"
	"strconv"
	"strings"
	"time"
)

// longestWait bounds what a wrong Retry-After can ask for.
const longestWait = 24 * time.Hour

// retryAfter reads Retry-After, in seconds or as a date, as at least a second: 0 is sent and does not mean at once. A
// date counts from the answer's own.
func retryAfter(header http.Header) time.Duration {
	value := strings.TrimSpace(header.Get("Retry-After"))

	wait := time.Duration(0)
	if seconds, err := strconv.ParseFloat(value, 64); err == nil {
		if seconds > 0 { // NaN is not
			wait = time.Duration(min(seconds, longestWait.Seconds()) * float64(time.Second))
		}
	} else if date, err := http.ParseTime(value); err == nil {
		now, err := http.ParseTime(header.Get("Date"))
		if err != nil {
			now = time.Now()
		}

		wait = date.Sub(now)
	}

	return min(max(wait, time.Second), longestWait)
}
