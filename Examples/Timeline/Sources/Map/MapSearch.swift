import CoreDataTransfer
import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// Messages around a place, as pins of a map.
@MainActor final class MapSearch {
    /// The part of the map that is shown: so many degrees around a place.
    struct Region: Equatable, Sendable {
        static let span = 0.1

        let latitude: Double
        let longitude: Double
        let latitudeSpan = Region.span
        let longitudeSpan = Region.span
    }

    /// A message on the map.
    struct Pin: Equatable, Sendable {
        let title: String
        let subtitle: String
        let latitude: Double
        let longitude: Double
    }

    private let service: URL
    private let session: TransferSession
    private var searches = 0
    /// What the map shows; nil before the first search.
    private(set) var region: Region?
    /// The pins of the last search that succeeded.
    private(set) var pins: [Pin] = []

    /// Makes a search of a service.
    init(_ service: URL, session: TransferSession = .shared) { (self.service, self.session) = (service, session) }

    /// The address that is asked for messages within so many kilometers of a place.
    func address(latitude: Double, longitude: Double, radius: Double) -> URL {
        let geocode = String(format: "geocode=%f,%f,%fkm", latitude, longitude, radius)
        guard var parts = URLComponents(url: service, resolvingAgainstBaseURL: true) else { return service }
        let query = parts.percentEncodedQuery
        parts.percentEncodedQuery = [query, geocode].compactMap { $0 }.joined(separator: "&")
        return parts.url ?? service
    }

    /// Puts the messages around a place in the place of the pins that are there; of searches that overlap the last counts.
    ///
    /// - Throws: `TransferError`, `DecodingError`; the pins stay then. `CancellationError`.
    func search(latitude: Double, longitude: Double, radius: Double) async throws {
        searches += 1
        let number = searches
        let url = address(latitude: latitude, longitude: longitude, radius: radius)
        let (data, _) = try await session.data(for: URLRequest(url: url))
        let found = try JSONDecoder().decode(Answer.self, from: data).results.compactMap(\.pin)
        guard number == searches else { return }
        pins = found
        region = Region(latitude: latitude, longitude: longitude)
    }

    private struct Answer: Decodable { let results: [Item] }

    /// A message, with a place unless its author hides it.
    private struct Item: Decodable {
        struct Geo: Decodable { let coordinates: [Double] }

        let text: String
        let user: String
        let geo: Geo?

        enum CodingKeys: String, CodingKey {
            case text, geo
            case user = "from_user"
        }

        var pin: Pin? {
            guard let place = geo?.coordinates, place.count == 2 else { return nil }
            return Pin(title: user, subtitle: text, latitude: place[0], longitude: place[1])
        }
    }
}
