/* test_format_spec.c - format specs of debug_print: the results of Python's format(), the specs
 * that it refuses, and the examples at the head of src/lib/text/format_spec.c. */
#include "unit/base_rig.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include "lib/host.h"
#include "support/heads.h"

typedef union number { int64_t i; uint64_t u; double f[2]; } number;
/* the texts are those of Python 3.11 */
static const struct row { const char *spec; tsr_dtype dtype; number x; const char *text; }
rows[] = {
	{".3f", TSR_F64, {.f = {1.23456}}, "1.235"},
	{"8.3f", TSR_F64, {.f = {1.23456}}, "   1.235"},
	{"<8.3f", TSR_F64, {.f = {1.23456}}, "1.235   "},
	{"^9.1e", TSR_F64, {.f = {-1234.5}}, "-1.2e+03 "},
	{"*^9.0f", TSR_F64, {.f = {2.5}}, "****2****"},
	{"+.2f", TSR_F64, {.f = {0.5}}, "+0.50"},
	{" .2f", TSR_F64, {.f = {0.5}}, " 0.50"},
	{"08.2f", TSR_F64, {.f = {-1.5}}, "-0001.50"},
	{"=+8.1f", TSR_F64, {.f = {1.5}}, "+    1.5"},
	{"_>10", TSR_F64, {.f = {1.5}}, "_______1.5"},
	{"10", TSR_F64, {.f = {0.1}}, "       0.1"},
	{".3", TSR_F64, {.f = {123.0}}, "1.23e+02"},
	{".4", TSR_F64, {.f = {123.0}}, "123.0"},
	{".0", TSR_F64, {.f = {3.0}}, "3e+00"},
	{"g", TSR_F64, {.f = {1e-05}}, "1e-05"},
	{"G", TSR_F64, {.f = {1e-05}}, "1E-05"},
	{".10g", TSR_F64, {.f = {10000000000.0}}, "1e+10"},
	{"e", TSR_F64, {.f = {0.0}}, "0.000000e+00"},
	{"E", TSR_F64, {.f = {1e+100}}, "1.000000E+100"},
	{".0f", TSR_F64, {.f = {1e+22}}, "10000000000000000000000"},
	{"%", TSR_F64, {.f = {0.125}}, "12.500000%"},
	{".1%", TSR_F64, {.f = {0.125}}, "12.5%"},
	{"F", TSR_F64, {.f = {INFINITY}}, "INF"},
	{"06", TSR_F64, {.f = {NAN}}, "000nan"},
	{"+", TSR_F64, {.f = {-INFINITY}}, "-inf"},
	{"=+9", TSR_F64, {.f = {NAN}}, "+     nan"},
	{"010,.2f", TSR_F64, {.f = {1234.5}}, "001,234.50"},
	{",", TSR_F64, {.f = {1000000000000000.0}}, "1,000,000,000,000,000.0"},
	{"_.1f", TSR_F64, {.f = {123456789.0}}, "123_456_789.0"},
	{".20f", TSR_F64, {.f = {0.1}}, "0.10000000000000000555"},
	{"10", TSR_F64, {.f = {1e+16}}, "     1e+16"},
	{".17", TSR_F64, {.f = {1e+16}}, "1e+16"},
	{"d", TSR_I64, {.i = -42}, "-42"},
	{"6d", TSR_I64, {.i = -42}, "   -42"},
	{"<6d", TSR_I64, {.i = -42}, "-42   "},
	{"06d", TSR_I64, {.i = -42}, "-00042"},
	{"+d", TSR_I64, {.i = 42}, "+42"},
	{" d", TSR_I64, {.i = 42}, " 42"},
	{"x", TSR_I64, {.i = 255}, "ff"},
	{"#06X", TSR_I64, {.i = 255}, "0X00FF"},
	{"o", TSR_I64, {.i = -8}, "-10"},
	{"#b", TSR_I64, {.i = 5}, "0b101"},
	{"_b", TSR_I64, {.i = 1000}, "11_1110_1000"},
	{"_x", TSR_I64, {.i = 4294967296}, "1_0000_0000"},
	{",", TSR_I64, {.i = 1234567}, "1,234,567"},
	{"012,d", TSR_I64, {.i = 1234567}, "0,001,234,567"},
	{".2f", TSR_I64, {.i = 7}, "7.00"},
	{"%", TSR_I64, {.i = 7}, "700.000000%"},
	{"e", TSR_I64, {.i = INT64_MIN}, "-9.223372e+18"},
	{"d", TSR_I64, {.i = INT64_MIN}, "-9223372036854775808"},
	{"é^7", TSR_I64, {.i = 42}, "éé42ééé"},
	{"*=5", TSR_I64, {.i = -4}, "-***4"},
	{"d", TSR_U64, {.u = 18446744073709551615u}, "18446744073709551615"},
	{"#x", TSR_U64, {.u = 18446744073709551615u}, "0xffffffffffffffff"},
	{"g", TSR_U64, {.u = 18446744073709551615u}, "1.84467e+19"},
	{".2f", TSR_C128, {.f = {1.5, 2.0}}, "1.50+2.00j"},
	{">12.1f", TSR_C128, {.f = {1.5, -2.0}}, "    1.5-2.0j"},
	{"+.1e", TSR_C128, {.f = {-1.0, -0.0}}, "-1.0e+00-0.0e+00j"},
	{"^12", TSR_C128, {.f = {NAN, INFINITY}}, " (nan+infj) "},
	{".3", TSR_C128, {.f = {12.0, 3.25}}, "(12+3.25j)"},
	{"d", TSR_BOOL, {.i = 1}, "1"},
	{">6", TSR_BOOL, {.i = 1}, "     1"},
	{".1f", TSR_BOOL, {.i = 0}, "0.0"},
};
/* what Python refuses, and what has no meaning for numbers */
static const struct refused { const char *spec; bool of_text; tsr_dtype dtype; const char *says; }
refused[] = {
	{"d", false, TSR_F32, "{:.0f}"},
	{"x", false, TSR_BF16, "tsr_astype"},
	{"s", false, TSR_F32, "{!s:>20}"},
	{"s", false, TSR_I32, "{!s:>20}"},
	{"c", false, TSR_I32, "one of b, d"},
	{"n", false, TSR_F32, "one of b, d"},
	{".3", false, TSR_I32, "no precision"},
	{".3d", false, TSR_BOOL, "no precision"},
	{",x", false, TSR_I32, "write '_'"},
	{"#.3f", false, TSR_F64, "'#'"},
	{"#d", false, TSR_I32, "'#'"},
	{"08.2f", false, TSR_C64, "complex"},
	{"=9", false, TSR_C64, "complex"},
	{"%", false, TSR_C128, "complex"},
	{"d", false, TSR_C128, "integers"},
	{"+", true, TSR_F32, "no sign"},
	{"=9", true, TSR_F32, "no sign"},
	{"f", true, TSR_F32, "behind !s"},
	{".", false, TSR_F32, "digits are missing"},
	{"3.3ff", false, TSR_F32, "[[fill]align]"},
	{"40000", false, TSR_F32, "32767"},
	{".999999999999", false, TSR_F32, "32767"},
	{"<<<", false, TSR_F32, "one of b, d"},
};

static void as_python(void **state)
{
	base b;
	int wrong = 0;

	(void)state;
	base_open(&b);
	for (const struct row *r = rows; r < rows + sizeof rows / sizeof *rows; r++) {
		format_spec f;
		str s = {.base = &b};
		const char *fault = format_spec_read(&f, r->spec, strlen(r->spec), false);
		if (!fault) fault = format_spec_fault(&f, r->dtype);
		if (!fault) format_spec_put(&s, &f, r->dtype, &r->x);
		if (fault || strcmp(s.s, r->text) != 0) {
			printf("{:%s}: %s, not %s\n", r->spec, fault ? fault : s.s, r->text);
			wrong++;
		}
		str_free(&s);
	}
	base_close(&b);
	assert_int_equal(wrong, 0);
}

static void what_fits_no_value(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof refused / sizeof *refused; i++) {
		const struct refused *r = &refused[i];
		format_spec f;
		const char *fault = format_spec_read(&f, r->spec, strlen(r->spec), r->of_text);
		if (!fault) fault = format_spec_fault(&f, r->dtype);
		if (!fault || !strstr(fault, r->says))
			fail_msg("%s: %s", r->spec, fault ? fault : "no fault");
	}
}

static void texts(void **state)
{
	base b;
	format_spec f;
	str s = {.base = &b};

	(void)state;
	base_open(&b);
	assert_null(format_spec_read(&f, "->7.4", 5, true));
	assert_null(format_spec_fault(&f, TSR_F32));
	format_spec_put_text(&s, &f, "[1. 2.]", 7);
	assert_string_equal(s.s, "---[1. ");
	str_free(&s);
	base_close(&b);
}

/* a spec, a value and its text a line */
static void the_head(void **state)
{
	base b;
	char *head = head_indented("src/lib/text/format_spec.c"), spec[32], value[32], want[32];
	int n = 0;

	(void)state;
	base_open(&b);
	assert_non_null(head);
	for (char *line = strtok(head, "\n"); line; line = strtok(NULL, "\n")) {
		if (sscanf(line, "%31s %31s %31s", spec, value, want) != 3 || !n++) continue;
		const bool whole = !strchr(value, '.');
		number x = {.i = strtoll(value, NULL, 10)};
		format_spec f;
		str s = {.base = &b};
		if (!whole) x.f[0] = strtod(value, NULL);
		assert_null(format_spec_read(&f, spec, strlen(spec), false));
		format_spec_put(&s, &f, whole ? TSR_I64 : TSR_F64, &x);
		assert_string_equal(s.s + strspn(s.s, " "), want);
		str_free(&s);
	}
	assert_true(n > 5);
	free(head);
	base_close(&b);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(as_python),
		cmocka_unit_test(what_fits_no_value),
		cmocka_unit_test(texts),
		cmocka_unit_test(the_head),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
