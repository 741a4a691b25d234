// The elliptic functions of Boost under names of C: an argument or amplitude, a characteristic and a parameter m =
// k^2, or Carlson's arguments.

#include <cmath>
#include <boost/math/special_functions/ellint_1.hpp>
#include <boost/math/special_functions/ellint_2.hpp>
#include <boost/math/special_functions/ellint_3.hpp>
#include <boost/math/special_functions/ellint_rc.hpp>
#include <boost/math/special_functions/ellint_rd.hpp>
#include <boost/math/special_functions/ellint_rf.hpp>
#include <boost/math/special_functions/ellint_rg.hpp>
#include <boost/math/special_functions/ellint_rj.hpp>
#include <boost/math/special_functions/jacobi_elliptic.hpp>

using namespace boost::math;

extern "C" {
double boost_sn_cn_dn(double u, double, double m, double)
{
    double cn, dn;
    double sn = jacobi_elliptic(std::sqrt(m), u, &cn, &dn);
    return sn + cn + dn;
}
double boost_K(double, double, double m, double) { return ellint_1(std::sqrt(m)); }
double boost_E(double, double, double m, double) { return ellint_2(std::sqrt(m)); }
double boost_Pi(double, double n, double m, double) { return ellint_3(std::sqrt(m), n); }
double boost_F(double phi, double, double m, double) { return ellint_1(std::sqrt(m), phi); }
double boost_E_incomplete(double phi, double, double m, double) { return ellint_2(std::sqrt(m), phi); }
double boost_Pi_incomplete(double phi, double n, double m, double) { return ellint_3(std::sqrt(m), n, phi); }
double boost_RF(double x, double y, double z, double) { return ellint_rf(x, y, z); }
double boost_RC(double x, double y, double, double) { return ellint_rc(x, y); }
double boost_RD(double x, double y, double z, double) { return ellint_rd(x, y, z); }
double boost_RG(double x, double y, double z, double) { return ellint_rg(x, y, z); }
double boost_RJ(double x, double y, double z, double p) { return ellint_rj(x, y, z, p); }
}
