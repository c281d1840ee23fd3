/* character_model.c - a transformer learns how documents are written, and writes one:
 * character_model [-n STEPS] [-o FOLDER] [FILE...]
 *
 * It is trained on 2x2 devices: each row of the grid has half of a batch, each column half of the
 * heads and of the hidden units. Then it is saved to character_model.safetensors in the folder, "."
 * if none is given, loaded again, and continues a text, character by character. Without names of
 * files it reads README.md and docs/ of the current folder. 400 steps take half a minute on two
 * cores. */
#include <glob.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <tsr/tsr.h>
#include <unistd.h>
#define D TSR_DIMS
#define P TSR_P
#define S TSR_SPEC

enum { CHARACTERS = 128, CONTEXT = 64, WIDTH = 128, HEADS = 4, LAYERS = 2, BATCH = 32 };
TSR_TREE_TYPE(layer, { tsr *attention_scale, *query, *key, *value, *out, *mlp_scale, *up, *down; });
TSR_TREE_TYPE(model, { tsr *embedding; layer layer[LAYERS]; tsr *scale, *head; });

enum { LEAVES = sizeof(model) / sizeof(tsr *), OF_LAYER = sizeof(layer) / sizeof(tsr *) };

/* ---- the model */

/* what each leaf is: its dims, how it is drawn, and how the devices share it */
static void describe(tsr_param leaf[LEAVES])
{
	const tsr_param scale = {D(WIDTH), tsr_init_ones, S()};
	const tsr_param projection = {D(WIDTH, HEADS, WIDTH / HEADS), tsr_init_lecun_normal,
	                              S(NULL, "model")};
	const tsr_param each[OF_LAYER] = {
		scale, projection, projection, projection,
		{D(HEADS, WIDTH / HEADS, WIDTH), tsr_init_lecun_normal, S("model")},
		scale,
		{D(WIDTH, 4 * WIDTH), tsr_init_lecun_normal, S(NULL, "model")},
		{D(4 * WIDTH, WIDTH), tsr_init_lecun_normal, S("model")},
	};

	leaf[0] = (tsr_param){D(CHARACTERS, WIDTH), tsr_init_normal, S()};
	for (int i = 0; i < LAYERS; i++) memcpy(leaf + 1 + i * OF_LAYER, each, sizeof each);
	leaf[LEAVES - 2] = scale;
	leaf[LEAVES - 1] = (tsr_param){D(WIDTH, CHARACTERS), tsr_init_lecun_normal, S()};
}

static tsr *run_layer(const layer *w, tsr *x)
{
	tsr *y = tsr_rms_norm(x, w->attention_scale);
	x = tsr_add(x, tsr_multi_head_attention(y, w->query, w->key, w->value, w->out,
	                                        .causal = true, .rotary = 10000));
	y = tsr_rms_norm(x, w->mlp_scale);
	y = tsr_gelu(tsr_linear(y, w->up, NULL));
	return tsr_add(x, tsr_linear(y, w->down, NULL));
}

/* of characters [batch, length] the logits of those that follow, [batch, length, CHARACTERS] */
static tsr *logits_of(const model *m, tsr *text)
{
	tsr *x = tsr_embed(text, m->embedding);

	for (int i = 0; i < LAYERS; i++) x = run_layer(&m->layer[i], x);
	return tsr_linear(tsr_rms_norm(x, m->scale), m->head, NULL);
}

/* text [batch, CONTEXT + 1]: how surprising each character is behind those before it */
static tsr *loss(tsr_tree params, tsr *text)
{
	tsr *x = tsr_slice(text, 1, 0, CONTEXT), *next = tsr_slice(text, 1, 1, CONTEXT + 1);

	return tsr_mean(tsr_softmax_cross_entropy_with_integer_labels(
		logits_of(TSR_TREE_OF(model, params), x), next));
}

/* a text [1, CONTEXT] without its first character, and with another at its end */
static tsr *continued(tsr_tree params, tsr *text, tsr *key)
{
	tsr *logits = tsr_index(logits_of(TSR_TREE_OF(model, params), text), 1, -1);
	tsr *next = tsr_categorical(key, tsr_div(logits, 0.7)); /* likely ones are even likelier */

	next = tsr_reshape(tsr_astype(next, TSR_U8), D(1, 1));
	return tsr_concatenate(1, tsr_slice(text, 1, 1, CONTEXT), next);
}

/* ---- the documents */

typedef struct text {
	char *at;
	size_t n;
} text;

static bool add_file(text *t, const char *path)
{
	FILE *f = fopen(path, "rb");
	int c;

	if (!f) return perror(path), false;
	while ((c = getc(f)) != EOF) {
		if (c >= CHARACTERS) continue; /* parts of characters that are not in ASCII */
		if (t->n % 65536 == 0) {
			char *more = realloc(t->at, t->n + 65536);
			if (!more) return fclose(f), false;
			t->at = more;
		}
		t->at[t->n++] = (char)c;
	}
	fclose(f);
	return true;
}

static bool read_documents(text *t, char **path, int n)
{
	glob_t found = {0};
	bool ok = true;

	if (!n) {
		glob("README.md", GLOB_NOSORT, NULL, &found);
		glob("docs/*.md", GLOB_APPEND, NULL, &found);
		path = found.gl_pathv, n = (int)found.gl_pathc;
	}
	for (int i = 0; i < n && ok; i++) ok = add_file(t, path[i]);
	globfree(&found);
	if (ok && t->n > (size_t)BATCH * (CONTEXT + 1)) return true;
	if (ok) fprintf(stderr, "character_model: too little text; name some files\n");
	return false;
}

/* pieces of the text, one a row, as a file from which batches are read */
static bool save_pieces(tsr_ctx *ctx, const text *t, const char *path)
{
	TSR_SCOPE(ctx);
	const int64_t n = (int64_t)t->n / (CONTEXT + 1);

	return tsr_save_npy(tsr_from(ctx, t->at, TSR_U8, D(n, CONTEXT + 1)), path);
}

/* ---- training */

static void train(tsr_ctx *ctx, model *m, tsr_batches *pieces, int steps, double *losses)
{
	tsr_fn *rate = tsr_warmup_cosine_decay_schedule(ctx, 0, 3e-3, steps / 10, steps);
	const tsr_optimizer *opt = tsr_chain(ctx, tsr_clip_by_global_norm(ctx, 1.0),
	                                     tsr_adamw(ctx, rate, .weight_decay = 0.01));
	tsr_fn *step = tsr_train_step(ctx, loss, opt);
	tsr_tree state = tsr_optimizer_init(opt, TSR_TREE(model, m));
	tsr_progress *p = tsr_progress_begin(ctx, steps, .label = "training");
	tsr *text;

	for (int i = 0; i < steps && tsr_status(ctx) == TSR_OK; i++) {
		TSR_SCOPE(ctx);
		char note[32];
		if (!tsr_batches_next(pieces, &text, 1)) /* an epoch ends, and another begins */
			tsr_batches_next(pieces, &text, 1);
		losses[i] = tsr_item(
			tsr_gather_whole(tsr_train(step, TSR_TREE(model, m), state, text)));
		snprintf(note, sizeof note, "loss %.3f", losses[i]);
		tsr_progress_show(p, i + 1, note);
	}
	tsr_progress_end(p);
	tsr_drop_tree(state);
}

/* the losses as a picture of text, in which each column is the mean of some steps */
static void draw(tsr_ctx *ctx, const double *losses, int steps)
{
	enum { COLUMNS = 60, ROWS = 10 };
	double mean[COLUMNS] = {0}, most = 0, least = 1e9;
	char line[COLUMNS];
	const int columns = steps < COLUMNS ? steps : COLUMNS;

	for (int c = 0; c < columns; c++) {
		const int from = steps * c / columns, to = steps * (c + 1) / columns;
		for (int i = from; i < to; i++) mean[c] += losses[i] / (to - from);
		if (mean[c] > most) most = mean[c];
		if (mean[c] < least) least = mean[c];
	}
	const double row = (most - least) / (ROWS - 1);
	for (int r = 0; r < ROWS; r++) {
		for (int c = 0; c < columns; c++)
			line[c] = row > 0 && lround((most - mean[c]) / row) == r ? '*' : ' ';
		tsr_printf(ctx, "%6.2f |%.*s\n", most - r * row, columns, line);
	}
	memset(line, '-', sizeof line);
	tsr_printf(ctx, "       +%.*s step %d\n", columns, line, steps);
}

/* each process writes the whole file, and may then read it */
static void save(tsr_ctx *ctx, const model *m, const char *path)
{
	TSR_SCOPE(ctx);
	model whole;

	for (int i = 0; i < LEAVES; i++) whole.leaf[i] = tsr_gather_whole(m->leaf[i]);
	tsr_save(TSR_TREE(model, &whole), path);
}

/* ---- what it has learned */

static void write_text(tsr_ctx *ctx, model *m, const char *beginning, int n)
{
	tsr_fn *f = tsr_jit(ctx, continued);
	char window[CONTEXT];
	tsr *text = NULL;

	memset(window, '\n', sizeof window);
	memcpy(window + CONTEXT - strlen(beginning), beginning, strlen(beginning));
	tsr_set(&text, tsr_from(ctx, window, TSR_U8, D(1, CONTEXT)));
	tsr_printf(ctx, "%s", beginning);
	for (int i = 0; i < n; i++) {
		TSR_SCOPE(ctx);
		tsr *key = tsr_fold_in(tsr_key(ctx, 1), i);
		tsr_set(&text, tsr_call(f, TSR_TREE(model, m), text, key));
		tsr *next = tsr_gather_whole(tsr_index(tsr_index(text, 1, -1), 0, 0));
		tsr_printf(ctx, "%c", (int)tsr_item(next));
	}
	tsr_printf(ctx, "\n");
	tsr_drop(&text);
}

typedef struct options {
	int steps;
	const char *folder;
} options;

static bool read_options(options *o, int argc, char **argv)
{
	for (int c; (c = getopt(argc, argv, "n:o:")) != -1;) {
		if (c == 'n')
			o->steps = atoi(optarg);
		else if (c == 'o')
			o->folder = optarg;
		else
			return false;
	}
	if (o->steps < 1) fprintf(stderr, "character_model: there must be a step at least\n");
	return o->steps >= 1;
}

static bool run(tsr_ctx *ctx, const options *o, const text *documents)
{
	tsr_mesh *mesh = tsr_mesh_make(ctx, {"data", 2}, {"model", 2});
	char pieces_path[1024], model_path[1024];
	double *losses = calloc((size_t)o->steps, sizeof *losses);
	model m, loaded;
	tsr_param leaf[LEAVES];
	tsr_spec specs[LEAVES];

	if (!losses) return false;
	snprintf(pieces_path, sizeof pieces_path, "%s/character_model.npy", o->folder);
	snprintf(model_path, sizeof model_path, "%s/character_model.safetensors", o->folder);
	save_pieces(ctx, documents, pieces_path);
	tsr_batches *pieces = tsr_batches_open(ctx, ((const char *[]){pieces_path}), 1, BATCH,
	                                       .key = tsr_key(ctx, 1), .mesh = mesh,
	                                       .spec = P("data"));
	describe(leaf);
	tsr_make_params(TSR_TREE(model, &m), tsr_key(ctx, 0), mesh, leaf, LEAVES);
	tsr_printf(ctx, "%zu characters, %lld parameters\n", documents->n,
	           (long long)tsr_tree_size(TSR_TREE(model, &m)));
	train(ctx, &m, pieces, o->steps, losses);
	draw(ctx, losses, o->steps);
	tsr_batches_close(pieces);
	unlink(pieces_path);
	free(losses);

	save(ctx, &m, model_path);
	for (int i = 0; i < LEAVES; i++) specs[i] = leaf[i].spec;
	tsr_load(TSR_TREE(model, &loaded), model_path, .mesh = mesh, .spec = TSR_FOR_EACH(specs));
	write_text(ctx, &loaded, "## How ", 400);
	return true;
}

int main(int argc, char **argv)
{
	options o = {.steps = 400, .folder = "."};
	text documents = {0};
	bool ok = read_options(&o, argc, argv) &&
	          read_documents(&documents, argv + optind, argc - optind);
	tsr_ctx *ctx = tsr_open(.devices = 8);

	ok = ok && run(ctx, &o, &documents);
	free(documents.at);
	return tsr_close(ctx) || !ok;
}
