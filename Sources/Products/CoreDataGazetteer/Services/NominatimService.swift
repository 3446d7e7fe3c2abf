import CoreDataPlaces
import CoreDataTransfer
import Foundation
import FoundationNetworking

/// A geocoding service with the interface of Nominatim, which knows streets. None is configured by itself: the
/// operator of a service learns the places that are asked for.
///
/// Requests follow each other at least ``interval`` seconds apart, as the public service asks. Source of the format:
/// nominatim.org/release-docs/latest/api, `jsonv2` with address details. May be used from any thread.
public final class NominatimService: GeocodingService {
    /// The address below which `search` and `reverse` lie.
    public let url: URL
    /// The seconds between two requests.
    public let interval: TimeInterval
    private let session: TransferSession
    private let turns = RequestTurns()
    private static let largestAnswer = 4 << 20

    /// Makes a service.
    ///
    /// - Parameter session: Its user agent should name the program, as the public service asks.
    public init(url: URL, interval: TimeInterval = 1, session: TransferSession = .shared) {
        (self.url, self.interval, self.session) = (url, interval, session)
    }

    /// The address at a location: one placemark.
    ///
    /// - Throws: ``CLError``: `geocodeFoundNoResult`, `network` with what failed.
    public func placemarks(near location: CLLocation, limit: Int, locale: Locale?) async throws -> [CLPlacemark] {
        let place = location.coordinate
        let data = try await answer(
            "reverse", locale, [("lat", Self.text(place.latitude)), ("lon", Self.text(place.longitude))])
        return [try Self.placemark(try Self.decode(NominatimPlace.self, data), from: place)]
    }

    /// The places with a name or address.
    ///
    /// - Throws: ``CLError``: `geocodeFoundNoResult`, `network` with what failed.
    public func placemarks(
        named address: String, in region: CLRegion?, limit: Int, locale: Locale?
    ) async throws -> [CLPlacemark] {
        var query = [("q", address), ("limit", String(min(max(limit, 1), 40)))]
        if let circle = region as? CLCircularRegion {
            let around = MKCoordinateRegion(
                center: circle.center, latitudinalMeters: 2 * circle.radius, longitudinalMeters: 2 * circle.radius)
            if around.isValid, !around.isAcrossDateLine {
                let box = [around.west, around.north, around.east, around.south].map(Self.text).joined(separator: ",")
                query.append(("viewbox", box))
            }
        }
        let data = try await answer("search", locale, query)
        let found = try Self.decode([NominatimPlace].self, data).compactMap { try? Self.placemark($0, from: nil) }
        guard !found.isEmpty else { throw CLError(.geocodeFoundNoResult) }
        return found
    }

    private func answer(_ path: String, _ locale: Locale?, _ query: [(String, String)]) async throws -> Data {
        var parts = URLComponents(url: url.appendingPathComponent(path), resolvingAgainstBaseURL: false)
        let fixed = [("format", "jsonv2"), ("addressdetails", "1")]
        parts?.queryItems = (fixed + query).map { URLQueryItem(name: $0.0, value: $0.1) }
        // A plus would be read as a blank.
        let encoded = parts?.percentEncodedQuery?.replacingOccurrences(of: "+", with: "%2B")
        parts?.percentEncodedQuery = encoded
        guard let url = parts?.url else { throw CLError(.network, reason: "the address of the service is not valid") }
        var request = URLRequest(url: url)
        request.timeoutInterval = 30
        if let locale {
            request.setValue(
                locale.identifier.replacingOccurrences(of: "_", with: "-"), forHTTPHeaderField: "Accept-Language")
        }
        var options = TransferOptions()
        options.maximumBodySize = Self.largestAnswer
        try await turns.wait(interval)
        do { return try await session.data(for: request, options: options).0 } catch let error as TransferError {
            throw CLError(
                .network, reason: "the geocoding service did not answer: \(error.localizedDescription)",
                hint: "look at the service's address, or try later")
        }
    }

    private static func decode<Value: Decodable>(_ type: Value.Type, _ data: Data) throws -> Value {
        do { return try JSONDecoder().decode(type, from: data) } catch {
            throw CLError(
                .network, reason: "the geocoding service answered with something else than places",
                hint: "look at the service's address")
        }
    }

    private static func placemark(
        _ place: NominatimPlace, from center: CLLocationCoordinate2D?
    ) throws -> CLPlacemark {
        guard place.error == nil, let latitude = place.lat.flatMap(Double.init),
            let longitude = place.lon.flatMap(Double.init),
            let coordinate = try? CLLocationCoordinate2D(validatingLatitude: latitude, longitude: longitude)
        else { throw CLError(.geocodeFoundNoResult) }
        return CLPlacemark(
            location: CLLocation(latitude: latitude, longitude: longitude), parts: place.parts,
            distance: center?.sphericalDistance(to: coordinate), attribution: place.licence)
    }

    /// Digits without an exponent, which the service does not read: a seventh digit is a centimetre.
    private static func text(_ degrees: Double) -> String {
        String(format: "%.7f", locale: Locale(identifier: "en_US_POSIX"), degrees)
    }
}

/// A place of an answer.
private struct NominatimPlace: Decodable {
    let lat: String?
    let lon: String?
    let name: String?
    let licence: String?
    let error: String?
    let address: [String: String]?

    var parts: CLPlacemark.Parts {
        func first(_ keys: String...) -> String? { keys.lazy.compactMap { address?[$0] }.first { !$0.isEmpty } }
        var parts = CLPlacemark.Parts()
        parts.name = name.flatMap { $0.isEmpty ? nil : $0 }
        parts.thoroughfare = first("road", "pedestrian", "footway", "path", "square")
        parts.subThoroughfare = first("house_number")
        parts.locality = first("city", "town", "village", "municipality", "hamlet")
        parts.subLocality = first("suburb", "city_district", "neighbourhood", "quarter")
        parts.administrativeArea = first("state", "province", "region")
        parts.subAdministrativeArea = first("county", "state_district")
        parts.postalCode = first("postcode")
        parts.isoCountryCode = first("country_code")?.uppercased()
        parts.country = first("country")
        return parts
    }
}

/// Lets requests begin one after the other, some seconds apart.
private actor RequestTurns {
    private var next = ContinuousClock.now

    func wait(_ interval: TimeInterval) async throws {
        let turn = max(next, .now)
        next = turn + .seconds(max(interval, 0))
        try await Task.sleep(until: turn, clock: .continuous)
    }
}
