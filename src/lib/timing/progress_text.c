/* progress_text.c - writes the line that shows how far long work is.
 *
 *     training   45% [=========           ] 450/1000  36.5 steps/s  0:16 left  loss 0.43
 *     training  1200 steps  2.31 s/step  46:12 */
#include <math.h>
#include "lib/timing/timing.h"

enum { BAR = 20 };

/* 0:15, 12:05, 1:00:00 */
static void put_clock(str *s, double seconds)
{
	const int64_t all = seconds < 1e15 ? (int64_t)ceil(seconds) : INT64_C(1000000000000000);

	if (all >= 3600) str_printf(s, "%lld:%02d", (long long)(all / 3600), (int)(all / 60 % 60));
	if (all < 3600) str_printf(s, "%d", (int)(all / 60));
	str_printf(s, ":%02d", (int)(all % 60));
}

static void put_share(str *s, const progress_state *p)
{
	const double share = (double)p->done / (double)p->total;
	const int full = (int)(BAR * fmin(share, 1));

	str_printf(s, "%3d%% [", (int)(100 * share));
	for (int i = 0; i < BAR; i++) str_put(s, i < full ? "=" : " ");
	str_printf(s, "] %lld/%lld", (long long)p->done, (long long)p->total);
}

static void put_rate(str *s, const progress_state *p)
{
	if (p->each < 1) {
		str_real(s, 1 / p->each, 'g', 3);
		str_printf(s, " %ss/s", p->unit);
		return;
	}
	str_real(s, p->each, 'g', 3);
	str_printf(s, " s/%s", p->unit);
}

/* the first n characters of UTF-8 text, in bytes */
static size_t characters(const char *text, size_t n)
{
	size_t i = 0;

	for (; text[i]; i++)
		if (((unsigned char)text[i] & 0xc0) != 0x80 && n-- == 0) break;
	return i;
}

void progress_text(str *out, const progress_state *p)
{
	str s = {.base = out->base};
	const bool ended = p->total && p->done >= p->total;

	if (*p->label) str_printf(&s, "%s  ", p->label);
	if (p->total)
		put_share(&s, p);
	else
		str_printf(&s, "%lld %s%s", (long long)p->done, p->unit, p->done == 1 ? "" : "s");
	if (p->each > 0) {
		str_put(&s, "  ");
		put_rate(&s, p);
	}
	if (ended || !p->total || p->each > 0) {
		str_put(&s, "  ");
		put_clock(&s,
		          ended || !p->total ? p->seconds : p->each * (double)(p->total - p->done));
		if (p->total) str_put(&s, ended ? " in all" : " left");
	}
	if (*p->note) str_printf(&s, "  %s", p->note);
	if (s.s) str_putn(out, s.s, characters(s.s, (size_t)p->columns));
	str_free(&s);
}
