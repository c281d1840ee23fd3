/* other_release.c - stands for another release's libtsr: a plug-in linked against it is refused.
 *
 * Only the private symbol and its version node matter; see other_release.map and
 * cmake/libtsr.map.in. */

__attribute__((visibility("default"))) extern const char tsr__abi[];
const char tsr__abi[] = "0.0.0";
