/* check.hpp - counts failures in a test of the bindings, and says where they are. */
#ifndef TESTS_BINDINGS_CHECK_HPP
#define TESTS_BINDINGS_CHECK_HPP
#include <cstdio>
#include <string>
#include <tsr/tsr.hpp>
#include <vector>

static int failures;

#define CHECK(what) \
	do { \
		if (!(what)) { \
			failures++; \
			std::fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, #what); \
		} \
	} while (0)

static inline bool holds(const tsr::array &x, const std::vector<double> &expected)
{
	return x.read<double>() == expected;
}

static inline bool has(const std::string &text, const char *part)
{
	if (text.find(part) != std::string::npos) return true;
	std::fprintf(stderr, "no \"%s\" in: %s\n", part, text.c_str());
	return false;
}

/* the code of the error that f throws, whose text has a part; -1: it throws none */
template <class F> int code_of(F &&f, const char *part)
{
	try {
		f();
	} catch (const tsr::error &e) {
		return has(e.what(), part) ? e.code() : -2;
	}
	return -1;
}

#endif
