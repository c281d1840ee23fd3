/* timing_text.c - prints a measurement as the line of IPython's %timeit.
 *
 *     1.23 ms ± 45.7 µs per loop (mean ± std. dev. of 10 runs, 5 loops each)
 *
 * Words, units and digits are those of TimeitResult and _format_time in IPython 8
 * (IPython/core/magics/execution.py): three digits, so that 0.9996 ms is "1e+03 µs"; from a minute
 * on whole parts, "1min 5s"; thousands of loops with a comma, and of runs without. */
#include <math.h>
#include "lib/timing/timing.h"

/* "1d 2h", down to seconds, without parts that are 0 */
static void put_parts(str *s, double seconds)
{
	static const struct part {
		const char *unit;
		double length;
	} parts[] = {{"d", 86400}, {"h", 3600}, {"min", 60}, {"s", 1}};
	const char *between = "";

	for (size_t i = 0; i < ARRAY_LEN(parts) && seconds >= 1; i++) {
		const double n = floor(seconds / parts[i].length);
		if (n < 1) continue;
		seconds = fmod(seconds, parts[i].length);
		str_put(s, between);
		str_real(s, n, 'f', 0);
		str_put(s, parts[i].unit);
		between = " ";
	}
}

void seconds_text(str *s, double seconds)
{
	static const struct unit {
		const char *name;
		double times;
	} units[] = {{" s", 1}, {" ms", 1e3}, {" µs", 1e6}, {" ns", 1e9}};

	if (seconds >= 60) {
		put_parts(s, seconds);
		return;
	}
	const double thirds = seconds > 0 ? -floor(floor(log10(seconds)) / 3) : 3;
	const struct unit *u = &units[thirds < 3 ? (int)thirds : 3];
	str_real(s, seconds * u->times, 'g', 3);
	str_put(s, u->name);
}

/* 10,000 */
static void put_thousands(str *s, int n)
{
	if (n >= 1000) put_thousands(s, n / 1000);
	str_printf(s, n >= 1000 ? ",%03d" : "%d", n % 1000);
}

static bool timing_ok(tsr_ctx *ctx, const char *where, const tsr_timing *t)
{
	const bool ok = t->runs >= 1 && t->loops >= 1 && t->mean >= 0 && t->deviation >= 0 &&
	                isfinite(t->mean) && isfinite(t->deviation);

	return ok || fail(&ctx->base, where, TSR_ERROR_ARGUMENT,
	                  "timing_text: nothing was measured: it takes what tsr_time() gave");
}

const char *tsr_timing_text_at(const char *where, tsr_ctx *ctx, tsr_timing timing)
{
	TURN_OF(ctx, where, "");
	if (!ctx_ok(where, "timing_text", ctx) || !timing_ok(ctx, where, &timing)) return "";
	str s = {.base = &ctx->base};

	seconds_text(&s, timing.mean);
	str_put(&s, " ± ");
	seconds_text(&s, timing.deviation);
	str_put(&s, " per loop (mean ± std. dev. of ");
	str_printf(&s, timing.runs == 1 ? "%d run, " : "%d runs, ", timing.runs);
	put_thousands(&s, timing.loops);
	str_put(&s, timing.loops == 1 ? " loop each)" : " loops each)");
	return scope_text(ctx, &s);
}
