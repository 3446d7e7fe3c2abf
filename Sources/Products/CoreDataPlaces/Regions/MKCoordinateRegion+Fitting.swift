import Foundation

extension MKCoordinateRegion {
    /// The parallels between which the web's Mercator projection is a square.
    static let greatestLatitude = atan(sinh(Double.pi)) * 180 / .pi

    /// More than a centre and half a span lose when they are added, so that edges computed from both contain what they
    /// were made of. Degrees; a hundredth of a micrometre.
    static let rounding = 1e-13

    /// The smallest region around this one that has the ratio of a view, as `regionThatFits` of a map view.
    ///
    /// The ratio is that of the drawn map, in the web's Mercator projection, so the region contains this one and fills
    /// the view. Near the poles and for very wide views the whole world is the limit, and then the ratio is not reached.
    ///
    /// - Parameters:
    ///   - width: The width of the view, in any unit.
    ///   - height: Its height in the same unit.
    /// - Returns: The region; this one for a view without size or a region that is none.
    public func fitting(width: Double, height: Double) -> MKCoordinateRegion {
        guard isValid, width > 0, height > 0, width.isFinite, height.isFinite else { return self }
        let top = Self.projected(north)
        let bottom = Self.projected(south)
        var tall = max(top - bottom, 1e-9)
        var wide = max(span.longitudeDelta, 1e-9)
        if wide / tall < width / height { wide = min(tall * width / height, 360) } else { tall = wide * height / width }
        let middle = (top + bottom) / 2
        tall = min(tall, 360)
        // Moved towards the equator where the map ends, so that what was asked for stays within.
        let shift = min(max(middle, -180 + tall / 2), 180 - tall / 2)
        let (upper, lower) = (Self.latitude(shift + tall / 2), Self.latitude(shift - tall / 2))
        let (newNorth, newSouth) = (max(upper, north), min(lower, south))
        return MKCoordinateRegion(
            center: CLLocationCoordinate2D(latitude: (newNorth + newSouth) / 2, longitude: center.longitude),
            span: MKCoordinateSpan(
                latitudeDelta: min(newNorth - newSouth + Self.rounding, 180), longitudeDelta: wide))
    }

    /// The ratio of width to height as drawn in the web's Mercator projection.
    public var projectedRatio: Double {
        span.longitudeDelta / max(Self.projected(north) - Self.projected(south), 1e-9)
    }

    /// The place of a parallel in the projection, in degrees of the equator: -180 to 180.
    static func projected(_ latitude: Double) -> Double {
        let held = Geodesy.radians(min(max(latitude, -greatestLatitude), greatestLatitude))
        return asinh(tan(held)) * 180 / .pi
    }

    /// The parallel at a place of the projection.
    static func latitude(_ projected: Double) -> Double { atan(sinh(Geodesy.radians(projected))) * 180 / .pi }
}
