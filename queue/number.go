package queue

import (
	"math/big"
	"strings"
)

// sameNumber compares two JSON numbers by value and exactly, however large, without computing them.
func sameNumber(a, b string) bool { return numberForm(a) == numberForm(b) }

// numberForm writes a JSON number as its digits without zeros at either end and the exponent of the last of them: equal
// numbers have equal forms.
func numberForm(s string) string {
	s, negative := strings.CutPrefix(s, "-")
	mantissa, power, _ := strings.Cut(strings.ToLower(s), "e")
	whole, fraction, _ := strings.Cut(mantissa, ".")
	digits := strings.TrimLeft(whole+fraction, "0")
	trimmed := strings.TrimRight(digits, "0")

	if trimmed == "" {
		return "0"
	}

	exponent := new(big.Int)
	if power != "" {
		// A JSON number's exponent is digits with a sign, of any length.
		exponent.SetString(strings.TrimPrefix(power, "+"), 10)
	}

	exponent.Add(exponent, big.NewInt(int64(len(digits)-len(trimmed)-len(fraction))))

	sign := ""
	if negative {
		sign = "-"
	}

	return sign + trimmed + "e" + exponent.String()
}
