/* errors.c - the steps of erf and erfc of f32 and f64, with the bits of SLEEF 3.5.
 *
 * Near 0, erf x = x P(x^2); beyond, 1 - e^Q(x), and 1 from 4 (f64: 6) on. erfc x = e^R(x) up to
 * 2.2, and from there on e^(-x^2 + S(1 / x)) / x; of f64 it is 1 - x T(x^2) up to 1.
 *
 * For example, 0.5 * 1.04100 and e^(-9 - 0.62175) / 3:
 *
 *     erf 0.5     gives  0.52050
 *     erfc 3      gives  2.20905e-05 */
#include <math.h>
#include "prim/elementary/pairs.h"

/* ---- coefficients that depend on where x is */

enum { PARTS = 4 };

/* of conditions, each of which holds where one before it does */
typedef struct parts {
	int n; /* of parts, with n - 1 conditions */
	var within[PARTS - 1];
} parts;

static var of_part(build *b, const parts *p, var x, const double *by)
{
	var y = NUM(by[p->n - 1]);

	for (int i = p->n - 2; i >= 0; i--) y = SELECT(p->within[i], NUM(by[i]), y);
	return y;
}

static pair pair_of_part(build *b, const parts *p, var x, const double *high, const double *low)
{
	return (pair){of_part(b, p, x, high), of_part(b, p, x, low)};
}

/* ---- erf */

static const double erf_f32[5][PARTS - 1] = {
	{+0.7089292194e-4f, -0.1792667899e-4f, -0.9495757695e-5f},
	{-0.7768311189e-3f, +0.3937633010e-3f, +0.2481465926e-3f},
	{+0.5159463733e-2f, -0.3949181177e-2f, -0.2918176819e-2f},
	{-0.2683781274e-1f, +0.2445474640e-1f, +0.2059706673e-1f},
	{+0.1128318012e+0f, -0.1070996150e+0f, -0.9901899844e-1f},
};
static const double erf_f32_pairs[2][PARTS - 1] = {
	{-0.376125876000657465175213237214e+0, -0.634588905908410389971210809210e+0,
         -0.643598050547891613081201721633e+0},
	{+0.112837916021059138255978217023e+1, -0.112879855826694507209862753992e+1,
         -0.112461487742845562801052956293e+1},
};
static const double erf_f64[20][PARTS - 1] = {
	{+0.6801072401395392157e-20, +0.2830954522087717660e-13, -0.5846750404269610493e-17},
	{-0.2161766247570056391e-18, -0.1509491946179481940e-11, +0.6076691048812607898e-15},
	{+0.4695919173301598752e-17, +0.3827857177807173152e-10, -0.3007518609604893831e-13},
	{-0.9049140419888010819e-16, -0.6139733921558987241e-09, +0.9427906260824646063e-12},
	{+0.1634018903557411517e-14, +0.6985387934608038824e-08, -0.2100110908269393629e-10},
	{-0.2783485786333455216e-13, -0.5988224513034371474e-07, +0.3534639523461223473e-09},
	{+0.4463221276786412722e-12, +0.4005716952355346640e-06, -0.4664967728285395926e-08},
	{-0.6711366622850138987e-11, -0.2132190104575784400e-05, +0.4943823283769000532e-07},
	{+0.9422759050232658346e-10, +0.9092461304042630325e-05, -0.4271203394761148254e-06},
	{-0.1229055530100228477e-08, -0.3079188080966205457e-04, +0.3034067677404915895e-05},
	{+0.1480719281585085023e-07, +0.7971413443082370762e-04, -0.1776295289066871135e-04},
	{-0.1636584469123402714e-06, -0.1387853215225442864e-03, +0.8524547630559505050e-04},
	{+0.1646211436588923363e-05, +0.6469678026257590965e-04, -0.3290582944961784398e-03},
	{-0.1492565035840624866e-04, +0.4996645280372945860e-03, +0.9696966068789101157e-03},
	{+0.1205533298178966496e-03, -0.1622802482842520535e-02, -0.1812527628046986137e-02},
	{-0.8548327023450851166e-03, +0.1615320557049377171e-03, -0.4725409828123619017e-03},
	{+0.5223977625442188799e-02, +0.1915262325574875607e-01, +0.2090315427924229266e-01},
	{-0.2686617064513125569e-01, -0.1027818298486033455e+00, -0.1052041921842776645e+00},
	{+0.1128379167095512753e+00, -0.6366172819842503827e+00, -0.6345351808766568347e+00},
	{-0.3761263890318375380e+00, -0.1128379590648910469e+01, -0.1129442929103524396e+01},
};
static const double erf_f64_high[PARTS - 1] = {1.1283791670955125586, 3.4110644736196137587e-08,
                                               0.00024963035690526438285};
static const double erf_f64_low[PARTS - 1] = {1.5335459613165822674e-17,
                                              -2.4875650708323294246e-24,
                                              -5.4362665034856259795e-21};

/* numbers of twice the digits of f32, of three or four parts */
static pair pair_of_f32(build *b, const parts *p, var x, const double *both)
{
	double high[PARTS], low[PARTS];

	for (int k = 0; k < p->n; k++) {
		high[k] = (double)(float)both[k];
		low[k] = both[k] - high[k];
	}
	return pair_of_part(b, p, x, high, low);
}

/* u: x^2 in the first part, x in the others */
static pair erf_polynomial(build *b, var x, var u, const parts *p)
{
	const bool wide = is_wide(b, x);
	var t = of_part(b, p, x, wide ? erf_f64[0] : erf_f32[0]);

	for (int i = 1; i < (wide ? 20 : 5); i++)
		t = FMA(t, u, of_part(b, p, x, wide ? erf_f64[i] : erf_f32[i]));
	pair d = pair_mul(b, alone(t), alone(u));
	if (wide) return pair_sum(b, d, pair_of_part(b, p, x, erf_f64_high, erf_f64_low));
	d = pair_mul(b, pair_sum(b, d, pair_of_f32(b, p, x, erf_f32_pairs[0])), alone(u));
	return pair_sum(b, d, pair_of_f32(b, p, x, erf_f32_pairs[1]));
}

var erf_steps(build *b, var given)
{
	const var x = OF_1(abs, given);
	const bool wide = is_wide(b, x);
	const var near = IS(lt, x, NUM(wide ? 1.0 : 1.1));
	const parts p = {PARTS - 1, {near, IS(lt, x, NUM(wide ? 3.7 : 2.4))}};
	const pair d = erf_polynomial(b, x, SELECT(near, MUL(x, x), x), &p);
	const pair by = pair_mul(b, d, alone(x)), e = exp_of_pair(b, wide ? d : by);
	const pair far = pair_add(b, alone(NUM(1)), pair_neg(b, e));
	const var some = total(b, pair_select(b, near, by, far));
	const var most = SELECT(IS(lt, x, NUM(wide ? 6 : 4)), some, NUM(1));

	return SELECT(is_nan(b, x), NUM(NAN), turned_by(b, most, given));
}

/* ---- erfc */

static const double erfc_f32[5][PARTS] = {
	{-0.8638041618e-4f, -0.6236977242e-5f, -0.3869504035e+0f, +0.1115344167e+1f},
	{+0.6000166177e-3f, +0.5749821503e-4f, +0.1288077235e+1f, -0.9454904199e+0f},
	{-0.1665703603e-2f, +0.6002851478e-5f, -0.1816803217e+1f, -0.3667259514e+0f},
	{+0.1795156277e-3f, -0.2851036377e-2f, +0.1249150872e+1f, +0.7155663371e+0f},
	{+0.1914106123e-1f, +0.2260518074e-1f, -0.1328857988e+0f, -0.1262947265e-1f},
};
static const double erfc_f32_pairs[3][PARTS] = {
	{-0.102775359343930288081655368891e+0, -0.105247583459338632253369014063e+0,
         -0.482365310333045318680618892669e+0, -0.498961546254537647970305302739e+0},
	{-0.636619483208481931303752546439e+0, -0.635609463574589034216723775292e+0,
         -0.134450203224533979217859332703e-2, -0.471199543422848492080722832666e-4},
	{-0.112837917790537404939545770596e+1, -0.112855987376668622084547028949e+1,
         -0.572319781150472949561786101080e+0, -0.572364030327966044425932623525e+0},
};
static const double erfc_f64[18][PARTS] = {
	{+0.6801072401395386139e-20, +0.3438010341362585303e-12, -0.5757819536420710449e+2,
         +0.2334249729638701319e+5},
	{-0.2161766247570055669e-18, -0.1237021188160598264e-10, +0.4669289654498104483e+3,
         -0.4695661044933107769e+5},
	{+0.4695919173301595670e-17, +0.2117985839877627852e-09, -0.1796329879461355858e+4,
         +0.3173403108748643353e+5},
	{-0.9049140419888007122e-16, -0.2290560929177369506e-08, +0.4355892193699575728e+4,
         +0.3242982786959573787e+4},
	{+0.1634018903557410728e-14, +0.1748931621698149538e-07, -0.7456258884965764992e+4,
         -0.2014717999760347811e+5},
	{-0.2783485786333451745e-13, -0.9956602606623249195e-07, +0.9553977358167021521e+4,
         +0.1554006970967118286e+5},
	{+0.4463221276786415752e-12, +0.4330010240640327080e-06, -0.9470019905444229153e+4,
         -0.6150874190563554293e+4},
	{-0.6711366622850136563e-11, -0.1435050600991763331e-05, +0.7387344321849855078e+4,
         +0.1240047765634815732e+4},
	{+0.9422759050232662223e-10, +0.3460139479650695662e-05, -0.4557713054166382790e+4,
         -0.8210325475752699731e+2},
	{-0.1229055530100229098e-08, -0.4988908180632898173e-05, +0.2207866967354055305e+4,
         +0.3242443880839930870e+2},
	{+0.1480719281585086512e-07, -0.1308775976326352012e-05, -0.8217975658621754746e+3,
         -0.2923418863833160586e+2},
	{-0.1636584469123399803e-06, +0.2825086540850310103e-04, +0.2268659483507917400e+3,
         +0.3457461732814383071e+0},
	{+0.1646211436588923575e-05, -0.6393913713069986071e-04, -0.4633361260318560682e+2,
         +0.5489730155952392998e+1},
	{-0.1492565035840623511e-04, -0.2566436514695078926e-04, +0.9557380123733945965e+1,
         +0.1559934132251294134e-2},
	{+0.1205533298178967851e-03, +0.5895792375659440364e-03, -0.2958429331939661289e+1,
         -0.1541741566831520638e+1},
	{-0.8548327023450850081e-03, -0.1695715579163588598e-02, +0.1670329508092765480e+0,
         +0.2823152230558364186e-5},
	{+0.5223977625442187932e-02, +0.2089116434918055149e-03, +0.6096615680115419211e+0,
         +0.6249999184195342838e+0},
	{-0.2686617064513125222e-01, +0.1912855949584917753e-01, +0.1059212443193543585e-2,
         +0.1741749416408701288e-8},
};
static const double erfc_f64_high[3][PARTS] = {
	{0.11283791670955126141, -0.10277263343147646779, -0.50005180473999022439,
         -0.5000000000258444377},
	{-0.37612638903183753802, -0.63661976742916359662, 1.601106273924963368e-06,
         2.3761973137523364792e-13},
	{1.1283791670955125586, -1.1283791674717296161, -0.57236496645145429341,
         -0.57236494292470108114},
};
static const double erfc_f64_low[3][PARTS] = {
	{-4.0175691625932118483e-18, -6.2338714083404900225e-18, 2.6362140569041995803e-17,
         -4.0074044712386992281e-17},
	{1.3391897206042552387e-17, 7.6321019159085724662e-18, 1.1974001857764476775e-23,
         -1.1670076950531026582e-29},
	{1.5335459613165822674e-17, 8.0896847755965377194e-17, 3.0704553245872027258e-17,
         -2.3984352208056898003e-17},
};

/* the coefficient, where it is a pair */
static pair erfc_pair(build *b, const parts *p, var x, int i)
{
	if (!is_wide(b, x)) return pair_of_f32(b, p, x, erfc_f32_pairs[i]);
	return pair_of_part(b, p, x, erfc_f64_high[i], erfc_f64_low[i]);
}

static pair erfc_polynomial(build *b, pair u, const parts *p)
{
	const var x = u.high;
	const bool wide = is_wide(b, x);
	var t = of_part(b, p, x, wide ? erfc_f64[0] : erfc_f32[0]);

	for (int i = 1; i < (wide ? 18 : 5); i++)
		t = FMA(t, x, of_part(b, p, x, wide ? erfc_f64[i] : erfc_f32[i]));
	pair d = pair_mul(b, u, alone(t));
	for (int i = 0; i < 3; i++) {
		d = pair_sum(b, d, erfc_pair(b, p, x, i));
		if (i < 2) d = pair_mul(b, d, u);
	}
	return d;
}

var erfc_steps(build *b, var given)
{
	const var x = OF_1(abs, given);
	const bool wide = is_wide(b, x);
	const var near = IS(lt, x, NUM(2.2)), nearest = IS(lt, x, NUM(1));
	const parts p = {PARTS, {nearest, near, IS(lt, x, NUM(wide ? 4.2 : 4.3))}};
	const pair inverse = pair_div(b, alone(NUM(1)), alone(x));
	const pair some = pair_select(b, near, with_zero(b, x), inverse);
	const pair u = wide ? pair_select(b, nearest, pair_mul(b, alone(x), alone(x)), some) : some;
	const pair d = erfc_polynomial(b, u, &p);
	const pair first = pair_select(b, near, d, with_zero(b, NEG(x)));
	const pair square = pair_mul(b, first, alone(x));
	const pair log = pair_select(b, near, square, pair_sum(b, square, d));
	const pair e = exp_of_pair(b, log), less = pair_sub(b, pair_of(b, x, 1, 0), log);
	const pair y = wide ? pair_select(b, nearest, less, e) : e;
	const pair value = pair_select(b, near, y, pair_mul(b, y, u));
	const var above = SELECT(IS(lt, x, NUM(wide ? 27.3 : 10.1)), total(b, value), NUM(0));
	const var turned = SELECT(is_below_zero(b, given), SUB(NUM(2), above), above);

	return SELECT(is_nan(b, given), NUM(NAN), turned);
}
