import Foundation

/// Distances on the Earth.
enum Geodesy {
    /// The mean radius of the Earth in metres (IUGG).
    static let meanRadius = 6_371_008.8
    /// The semi-major axis of WGS 84 in metres.
    static let equatorialRadius = 6_378_137.0
    /// The flattening of WGS 84.
    static let flattening = 1 / 298.257223563
    /// The metres of a degree of latitude: 111.12 km, 60 nautical miles.
    static let metresPerDegree = 111_120.0

    private static let greatestRounds = 100

    static func radians(_ degrees: Double) -> Double { degrees * .pi / 180 }

    /// The distance on the sphere by the haversine formula, which is exact for near points too.
    static func sphericalDistance(_ one: CLLocationCoordinate2D, _ other: CLLocationCoordinate2D) -> Double {
        let (first, second) = (radians(one.latitude), radians(other.latitude))
        let rise = sin((second - first) / 2)
        let turn = sin(radians(other.longitude - one.longitude) / 2)
        let square = rise * rise + cos(first) * cos(second) * turn * turn
        return 2 * meanRadius * asin(min(1, square.squareRoot()))
    }

    /// The distance on the ellipsoid WGS 84 by Vincenty's inverse formula; on the sphere for points so nearly opposite
    /// that the formula does not converge.
    ///
    /// Source: T. Vincenty, Direct and Inverse Solutions of Geodesics on the Ellipsoid, Survey Review 23 (1975).
    static func ellipsoidalDistance(_ one: CLLocationCoordinate2D, _ other: CLLocationCoordinate2D) -> Double {
        guard one != other else { return 0 }
        let polar = equatorialRadius * (1 - flattening)
        let reduced = [one, other].map { atan((1 - flattening) * tan(radians($0.latitude))) }
        let (sine1, cosine1, sine2, cosine2) = (sin(reduced[0]), cos(reduced[0]), sin(reduced[1]), cos(reduced[1]))
        let difference = radians((other.longitude - one.longitude).remainder(dividingBy: 360))
        var lambda = difference
        for _ in 0..<greatestRounds {
            let first = cosine2 * sin(lambda)
            let second = cosine1 * sine2 - sine1 * cosine2 * cos(lambda)
            let sineSigma = (first * first + second * second).squareRoot()
            guard sineSigma > 0 else { return 0 }
            let cosineSigma = sine1 * sine2 + cosine1 * cosine2 * cos(lambda)
            let sigma = atan2(sineSigma, cosineSigma)
            let sineAlpha = cosine1 * cosine2 * sin(lambda) / sineSigma
            let square = 1 - sineAlpha * sineAlpha
            let middle = square > 1e-15 ? cosineSigma - 2 * sine1 * sine2 / square : 0
            let c = flattening / 16 * square * (4 + flattening * (4 - 3 * square))
            let inner = middle + c * cosineSigma * (2 * middle * middle - 1)
            let next = difference + (1 - c) * flattening * sineAlpha * (sigma + c * sineSigma * inner)
            guard abs(next) <= .pi else { break }
            if abs(next - lambda) < 1e-12 {
                let u = square * (equatorialRadius * equatorialRadius / (polar * polar) - 1)
                return arc(u, sigma, sineSigma, cosineSigma, middle) * polar
            }
            lambda = next
        }
        return sphericalDistance(one, other)
    }

    /// The length of Vincenty's arc, in units of the semi-minor axis.
    private static func arc(
        _ u: Double, _ sigma: Double, _ sine: Double, _ cosine: Double, _ middle: Double
    ) -> Double {
        let a = 1 + u / 16384 * (4096 + u * (-768 + u * (320 - 175 * u)))
        let b = u / 1024 * (256 + u * (-128 + u * (74 - 47 * u)))
        let double = 2 * middle * middle - 1
        let last = b / 6 * middle * (4 * sine * sine - 3) * (4 * middle * middle - 3)
        return a * (sigma - b * sine * (middle + b / 4 * (cosine * double - last)))
    }
}
