/* test_layers.c - each row of layer_rows.h: its values and gradients are those of flax and optax,
 * its gradient is that of differences, and a batch is a loop over its elements, whichever operands
 * are mapped. */
#include "support/layer_rows.h"

enum { BATCH = 3 };

/* What flax 0.12.8 and optax 0.2.8 give, with 64-bit types on: the loss, and how much it rises
 * along a direction of each operand that has a derivative, the sum of the gradient times that. What
 * labels that do not count do to a loss is NaN there */
static const struct {
	const char *name;
	double loss, along[MOST_OPERANDS];
} peers[] = {
	{"linear", 0.399412843685812, {-0.728763979127786, -0.353216254253333, 1.39999794369844}},
	{"linear_wide", -0.76655895308837, {0.468325879217363, -0.0903134732750582}},
	{"embed", -2.03164653672874, {-1.78725757329216}},
	{"conv", -0.449325229115087, {-0.877154716363337, 2.51375864273372, -0.276306348119554}},
	{"conv_circular", -8.63837075625566, {5.06047396282968, 6.84279556937335}},
	{"conv_around", 0.955118703083723, {-0.58378743603595, 0.25404181195319}},
	{"conv_reflect", 0.724348860262118, {-3.26268040483598, -1.90067633237458}},
	{"conv_causal", 0.582582387727319, {-0.5607138959818, 2.57959668564286}},
	{"conv_groups", 1.7544790915858, {0.00334890626731499, -2.45511068608669,
	  -0.244544938418389}},
	{"layer_norm", 2.44923316317778, {0.341106401577411, -0.0940348141898168,
	  0.949486875239499}},
	{"layer_norm_exact", 2.49641677067589, {-1.37453283486041, -3.56349823466513}},
	{"layer_norm_where", 2.48409358363054, {-1.93178228550481}},
	{"rms_norm", 0.210064894973473, {0.17199558028853, 0.0531143914757047}},
	{"group_norm", 0.183009907606843, {-0.0157046163321328, -0.619362287485789,
	  1.52767638444013}},
	{"batch_norm", 2.94938730001417, {-0.829370671876248, -0.65145878706873,
	  -0.269011931679508, -1.03110309530913, 1.12785763035551}},
	{"batch_norm_used", 2.8113307484019, {0.885567803438533, -0.115190697220334,
	  -0.269011931679508, -2.01264067835276, 5.70200166368561}},
	{"dropout", -3.67249604799806, {3.65206118329535}},
	{"dropout_rows", 0.436995150723981, {-0.127920978391784}},
	{"rnn_cell", -1.24201208732526, {0.0591855132987473, 0.0695847062958991,
	  -0.296622438737143, 0.419560653994904, 0.243657761281588}},
	{"rnn_residual", -0.885520224379715, {0.431881738900123, -0.0726311540231916,
	  -0.470840300336121, 0.404154233262275}},
	{"lstm_cell", 0.50807813422415, {0.193629516062136, 0.838292251077626, -0.200036787176041,
	  -0.908536732731254, 0.34421879252849, 0.441432178596149}},
	{"gru_cell", 0.575143329725401, {-0.258750422885147, -1.05472050866469, -1.01237861924409,
	  -0.0507989516218322, -0.210341358465015, 0.191210887107432}},
	{"multi_head_attention", -11.3931504918895, {9.73817981117989, 0.200168025539481,
	  0.0191422513747032, 5.57503915494626, 8.95200470791316}},
	{"attention_causal", -6.46433770162154, {1.98555040311357, -0.214977013960137,
	  5.91270433859907, 8.79210887240288, 0.00107859200996699, -0.343483668470193}},
	{"attention_bias", 4.93195375979127, {0.0559392295712264, 0.0176217348653578,
	  -4.46808861924088, -7.04103975332672, 0.118063062800291, 0.400157320370183}},
	{"attention_decoded", -2.4122187127538, {-0.468821306205403, 0.608359563445608,
	  -2.11835660173792, 5.55692731838202, -3.04830091352788}},
	{"rotary", 1.95445308489223, {1.16749383607983}},
	{"softmax_cross_entropy", 0.54618388355947, {0.414025299653741, 0.981574720000009}},
	{"softmax_cross_entropy_where", -1.86683259033618, {0.678376569589618, NAN}},
	{"integer_labels", -0.425479069043632, {1.56223921286368}},
	{"integer_labels_where", 0.296147742177301, {0.0323261505123494}},
	{"sigmoid_binary_cross_entropy", -0.762761471931098, {0.430502630485089,
	  -0.538059925361416}},
	{"squared_error", -1.80254612873479, {1.8434072555304, 0.690266437817396}},
	{"l2_loss", -0.239265367078947, {0.475426319992572}},
	{"huber_loss", -0.548819885596091, {0.490330584691291, 0.191384705093042}},
	{"smooth_labels", 0.0750553806511589, {-0.461834356008186, 0.265237356539863}},
};
_Static_assert(sizeof peers / sizeof *peers == LAYERS, "a row each");

/* ---- differences */

/* the loss where operand k is a step further along a direction */
static double loss_beside(tsr_fn *loss, const layer_row *r, tsr *const *a, int k, tsr *way,
                          double step)
{
	tsr *moved[MOST_OPERANDS];

	memcpy(moved, a, sizeof moved);
	moved[k] = tsr_add(a[k], tsr_mul(way, step));
	return tsr_item(row_value(loss, r, moved));
}

static void as_wanted(const layer_row *r, const char *what, int k, double got, double want,
                      double most)
{
	if (!(fabs(got - want) <= most * (1 + fabs(want))))
		fail_msg("%s, %s %d: %.15g, not %.15g", r->name, what, k, got, want);
}

static void differ(tsr_ctx *c, int row)
{
	TSR_SCOPE(c);
	const layer_row *r = &layer_rows[row];
	const double step = 1e-5;
	tsr *a[MOST_OPERANDS] = {NULL}, *out[1 + MOST_OPERANDS] = {NULL};
	tsr_fn *loss = tsr_jit(c, loss_body, TSR_ENV(&r));
	int at = 1;

	operands_make(c, r, 0, a);
	gradients_at(gradient_of(c, r), r, a, out);
	assert_string_equal(peers[row].name, r->name);
	as_wanted(r, "loss", 0, tsr_item(out[0]), peers[row].loss, 1e-12);
	for (int k = 0; k < operands_of(r); k++) {
		if (!is_moved(&r->of[k])) continue;
		tsr *way = operand(c, &(layer_operand){r->of[k].kind, 0, r->of[k].dims}, k + 3, 2);
		const double want = (loss_beside(loss, r, a, k, way, step) -
		                     loss_beside(loss, r, a, k, way, -step)) / (2 * step);
		const double got = tsr_item(tsr_sum(tsr_mul(out[at], way)));
		const double peer = peers[row].along[at++ - 1];
		as_wanted(r, "differences by operand", k, got, want, 1e-7);
		if (!isnan(peer)) as_wanted(r, "gradient by operand", k, got, peer, 1e-12);
	}
	assert_int_equal(tsr_status(c), TSR_OK);
}

static void gradients(void **state)
{
	tsr_ctx *c = tsr_open(.dtype = TSR_F64, .log = log_nothing);

	(void)state;
	for (int i = 0; i < LAYERS; i++) differ(c, i);
	assert_int_equal(tsr_close(c), TSR_OK);
}

/* ---- batches */

/* operands of a batch: those of which `which` has a bit are others in each element */
static void map(tsr_ctx *c, const layer_row *r, unsigned which)
{
	TSR_SCOPE(c);
	tsr *a[MOST_OPERANDS] = {NULL}, *each[BATCH][MOST_OPERANDS], *value[BATCH];
	tsr_fn *f = tsr_jit(c, row_body, TSR_ENV(&r));
	tsr_mapped in[MOST_OPERANDS] = {0};
	int dim[MOST_OPERANDS];
	char what[64];

	for (int i = 0; i < BATCH; i++) operands_make(c, r, i, each[i]);
	for (int k = 0; k < operands_of(r); k++) {
		tsr *stack[BATCH];
		for (int i = 0; i < BATCH; i++) {
			if (!(which >> k & 1)) each[i][k] = each[0][k];
			stack[i] = each[i][k];
		}
		dim[k] = which >> k & 1 ? 0 : TSR_UNMAPPED;
		a[k] = dim[k] ? each[0][k] : tsr_stack_at(TSR_HERE, 0, stack, BATCH);
		in[k] = (tsr_mapped){{.count = 1}, &dim[k]};
	}
	for (int i = 0; i < BATCH; i++) value[i] = row_value(f, r, each[i]);
	snprintf(what, sizeof what, "operands %#x mapped", which);
	near_enough(r->name, what,
	            row_value(tsr_vmap(c, row_body, TSR_ENV(&r),
	                               .in = {in[0], in[1], in[2], in[3], in[4], in[5]}), r, a),
	            tsr_stack_at(TSR_HERE, 0, value, BATCH), 1e-12);
}

static void batches(void **state)
{
	tsr_ctx *c = tsr_open(.log = log_nothing);

	(void)state;
	for (int i = 0; i < LAYERS; i++) {
		const int n = operands_of(&layer_rows[i]);
		for (int k = 0; k < n; k++) map(c, &layer_rows[i], 1u << k);
		if (n > 1) map(c, &layer_rows[i], (1u << n) - 1);
	}
	assert_int_equal(tsr_close(c), TSR_OK);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(gradients),
		cmocka_unit_test(batches),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
