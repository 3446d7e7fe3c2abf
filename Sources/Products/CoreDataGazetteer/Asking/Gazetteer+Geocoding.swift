import CoreDataPlaces
import Foundation

extension Gazetteer: GeocodingService {
    /// The fewest places that are looked at, to find one in the country whose border surrounds the location.
    private static let fewestPlaces = 8
    /// How many times farther than the nearest place one in the right country may be, and how far at least.
    private static let farther = (times: 3.0, metres: 30_000.0)

    /// The places nearest to a location, the nearest first. The first is in the country whose border surrounds the
    /// location, and only its country is known if no place of it is near.
    ///
    /// - Throws: ``CLError`` of code `geocodeFoundNoResult` for a gazetteer without places; errors of the store.
    public func placemarks(near location: CLLocation, limit: Int, locale: Locale?) async throws -> [CLPlacemark] {
        try placemarks(near: location.coordinate, limit: limit, locale: locale)
    }

    /// The places nearest to a coordinate; see ``placemarks(near:limit:locale:)-swift.method``. The calling thread waits.
    public func placemarks(
        near coordinate: CLLocationCoordinate2D, limit: Int = 1, locale: Locale? = nil
    ) throws -> [CLPlacemark] {
        guard CLLocationCoordinate2DIsValid(coordinate), limit > 0 else { throw CLError(.geocodeFoundNoResult) }
        let found = try nearest(coordinate, limit: max(limit, Self.fewestPlaces))
        guard let first = found.first else {
            throw CLError(.geocodeFoundNoResult, hint: "the gazetteer has no places")
        }
        guard let code = country(at: coordinate), code != first.place.country else {
            return found.prefix(limit).map { placemark($0.place, $0.distance, locale) }
        }
        let bound = max(first.distance * Self.farther.times, Self.farther.metres)
        if let own = found.first(where: { $0.place.country == code && $0.distance <= bound }) {
            let others = found.filter { $0.place.number != own.place.number }
            return ([own] + others).prefix(limit).map { placemark($0.place, $0.distance, locale) }
        }
        var parts = CLPlacemark.Parts()
        (parts.isoCountryCode, parts.country) = (code, countryName(code, locale))
        parts.name = parts.country
        let alone = CLPlacemark(
            location: CLLocation(latitude: coordinate.latitude, longitude: coordinate.longitude), parts: parts,
            distance: 0, attribution: attribution)
        return [alone] + found.prefix(limit - 1).map { placemark($0.place, $0.distance, locale) }
    }

    /// The places with a name; other parts of the text, separated by commas, choose among them.
    ///
    /// - Throws: ``CLError`` of code `geocodeFoundNoResult` if there is none; errors of the store.
    public func placemarks(
        named address: String, in region: CLRegion?, limit: Int, locale: Locale?
    ) async throws -> [CLPlacemark] {
        let found = try named(address, in: region, locale)
        guard !found.isEmpty else {
            throw CLError(.geocodeFoundNoResult, hint: "a gazetteer knows towns, not streets")
        }
        return found.prefix(limit).map { placemark($0, nil, locale) }
    }

    private func placemark(_ place: GazetteerPlace, _ distance: Double?, _ locale: Locale?) -> CLPlacemark {
        var parts = CLPlacemark.Parts()
        (parts.name, parts.locality) = (place.name, place.name)
        (parts.administrativeArea, parts.subAdministrativeArea) = (place.admin1, place.admin2)
        (parts.isoCountryCode, parts.country) = (place.country, countryName(place.country, locale))
        let location = CLLocation(latitude: place.coordinate.latitude, longitude: place.coordinate.longitude)
        return CLPlacemark(location: location, parts: parts, distance: distance, attribution: attribution)
    }
}
