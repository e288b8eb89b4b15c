package main

import (
	"bytes"
	"strings"
	"testing"
)

func TestAWrongValueEndsWithCodeTwoAndOneLine(t *testing.T) {
	for _, tried := range []struct {
		args []string
		line string
	}{
		{[]string{"version", "--rate-limit=NaN"}, "hub: HUB_RATE_LIMIT must be a number from 0.001 to 1000000, not NaN\n"},
		{[]string{"version", "--rate-limit=Inf"}, "hub: HUB_RATE_LIMIT must be a number from 0.001 to 1000000, not +Inf\n"},
		{[]string{"version", "--rate-limit=1e-300"}, "hub: HUB_RATE_LIMIT must be a number from 0.001 to 1000000, not 1e-300\n"},
		{[]string{"version", "--rate-limit=1000001"}, "hub: HUB_RATE_LIMIT must be a number from 0.001 to 1000000, not 1.000001e+06\n"},
		{[]string{"version", "--rate-limit=0"}, "hub: HUB_RATE_LIMIT must be a number from 0.001 to 1000000, not 0\n"},
	} {
		t.Run(strings.Join(tried.args, " "), func(t *testing.T) {
			var out, errs bytes.Buffer

			if code := run(tried.args, &out, &errs); code != exitUsage || errs.String() != tried.line || out.Len() > 0 {
				t.Errorf("got %d, %q, %q", code, errs.String(), out.String())
			}
		})
	}
}
