/* sample.c - writes sampled programs, their inputs and the library's results:
 * sample FOLDER FIRST_SEED COUNT f64|f32. tests/peer/run_jax.py runs the same programs in JAX. */
#include "support/recipe.h"
#include <stdlib.h>
#include <string.h>

enum { PROGRAMS_A_CONTEXT = 50 };

static bool write_text(const recipe_deal *d, const char *path, const char *dtype)
{
	FILE *to = fopen(path, "w");

	if (!to) return false;
	fprintf(to, "program dtype=%s largest=%.17g\n", dtype, d->largest);
	recipe_print(&d->r, to);
	return fclose(to) == 0;
}

static bool write_program(tsr_ctx *ctx, const recipe_deal *d, const char *folder, const char *dtype)
{
	TSR_SCOPE(ctx);
	const tsr_dtype as = strcmp(dtype, "f32") == 0 ? TSR_F32 : TSR_F64;
	const region *g = &d->r.region[0];
	tsr *in[RECIPE_INS], *out[RECIPE_OUTS];
	char stem[1024], path[1100];

	snprintf(stem, sizeof stem, "%s/%06llu-%s", folder, (unsigned long long)d->r.seed, dtype);
	recipe_inputs(ctx, d, as, in);
	recipe_run(ctx, &d->r, as, in, out);
	snprintf(path, sizeof path, "%s.txt", stem);
	bool ok = write_text(d, path, dtype);
	for (int k = 0; ok && k < g->nin; k++) {
		snprintf(path, sizeof path, "%s.in%d.npy", stem, k);
		ok = tsr_save_npy(in[k], path);
	}
	for (int k = 0; ok && k < g->nout; k++) {
		snprintf(path, sizeof path, "%s.out%d.npy", stem, k);
		ok = tsr_save_npy(out[k], path);
	}
	return ok && !tsr_status(ctx);
}

int main(int argc, char **argv)
{
	static recipe_deal d;
	tsr_ctx *ctx = NULL;
	int code = 0;

	if (argc != 5) {
		fprintf(stderr, "usage: %s FOLDER FIRST_SEED COUNT f64|f32\n", argv[0]);
		return 2;
	}
	const uint64_t first = strtoull(argv[2], NULL, 10);
	const bool single = strcmp(argv[4], "f32") == 0;
	const recipe_limits limits = {
		.jax = true, .margin = single ? 2e-3 : 1e-5, .single = single};
	for (int k = 0; k < atoi(argv[3]) && !code; k++) {
		if (k % PROGRAMS_A_CONTEXT == 0) {
			code = tsr_close(ctx);
			ctx = tsr_open(.devices = 8);
		}
		if (!recipe_deal_make(&d, first + (uint64_t)k, &limits)) {
			fprintf(stderr, "seed %llu gives no program\n",
			        (unsigned long long)first + (unsigned)k);
			continue;
		}
		if (write_program(ctx, &d, argv[1], argv[4])) continue;
		fprintf(stderr, "the program of seed %llu: %s\n", (unsigned long long)d.r.seed,
		        tsr_message(ctx));
		code = 1;
	}
	const int last = tsr_close(ctx);
	return code ? code : last;
}
