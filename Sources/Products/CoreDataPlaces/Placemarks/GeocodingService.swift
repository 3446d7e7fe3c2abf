import Foundation

/// What a geocoder asks: a gazetteer in a store, a service on the network, or a list in memory.
public protocol GeocodingService: Sendable {
    /// The places nearest to a location, the nearest first.
    ///
    /// - Throws: ``CLError``, of code ``CLError/Code/geocodeFoundNoResult`` if there is none.
    func placemarks(near location: CLLocation, limit: Int, locale: Locale?) async throws -> [CLPlacemark]
    /// The places with a name or address, the most probable first.
    ///
    /// - Throws: ``CLError``, of code ``CLError/Code/geocodeFoundNoResult`` if there is none.
    func placemarks(
        named address: String, in region: CLRegion?, limit: Int, locale: Locale?
    ) async throws -> [CLPlacemark]
}
