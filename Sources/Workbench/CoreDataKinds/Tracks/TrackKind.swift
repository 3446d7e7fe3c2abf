import CoreData
import CoreDataPlaces

/// A recorded or planned way in GPX or GeoJSON, as a text or as data.
struct TrackKind: ValueKind {
    let name = "track"
    let summary = "a way on the map in GPX or GeoJSON"
    let types: Set<AttributeKind> = [.string, .binary]

    private static let words: Set = ["track", "gpx", "geojson", "route"]
    private static let rule = GuessRule(words: words)
    /// What is read of one value, in bytes and points.
    private static let limits = TrackDocument.Limits(bytes: 16 << 20, points: 500_000)
    /// The most points that a view draws.
    static let shownPoints = 500

    func guesses(in entity: EntitySamples) -> [KindGuess] {
        entity.guesses(self, Self.rule) { Self.data($0).flatMap(Self.form) != nil }
            // A name alone may be that of a song.
            .filter { $0.strength != .name }
    }

    func guessesByData(of attribute: KeyedAttribute) -> Bool { !Self.words.isDisjoint(with: attribute.words) }

    /// The form and the size; what is in it is read where it is shown alone.
    func reading(_ values: KindValues, _ use: KindUse) -> KindReading {
        guard let data = values[use.key].flatMap(Self.data), let form = Self.form(data) else {
            return .none(values.text(use.key).map { String($0.prefix(80)) } ?? "", "it is neither GPX nor GeoJSON")
        }
        return KindReading("\(form == .gpx ? "GPX" : "GeoJSON"), \(data.count) B")
    }

    /// `{"name", "length", "points", "lines": [[[longitude, latitude]]], "places": [[longitude, latitude]]}`, or the `problem`.
    func content(_ values: KindValues, _ use: KindUse) -> JSONValue? {
        guard let data = values[use.key].flatMap(Self.data), Self.form(data) != nil else { return nil }
        do {
            let document = try TrackDocument(data: data, limits: Self.limits)
            let ways = document.routes + document.tracks
            let segments = ways.flatMap(\.segments)
            let count = segments.reduce(document.waypoints.count) { $0 + $1.count }
            let step = max(1, count / Self.shownPoints)
            return .object([
                ("name", .text(document.name ?? ways.lazy.compactMap(\.name).first)),
                ("length", .real(ways.reduce(0) { $0 + $1.length }.rounded())), ("points", .count(count)),
                ("lines", .array(segments.map { .array(Self.some(of: $0, step).map(\.json)) })),
                ("places", .array(Self.some(of: document.waypoints, step).map(\.json))),
            ])
        } catch {
            return .object([("problem", .string(error.description))])
        }
    }

    func value(of text: String, for attribute: NSAttributeDescription, _ use: KindUse) throws -> Any? {
        do { _ = try TrackDocument(data: Data(text.utf8), limits: Self.limits) } catch {
            throw refused(attribute, error.reason, hint: error.hint)
        }
        return AttributeKind(attribute) == .string ? text : Data(text.utf8)
    }

    /// Every so many-th point, and the last one.
    private static func some(of points: [TrackPoint], _ step: Int) -> [TrackPoint] {
        var some = stride(from: 0, to: points.count, by: step).map { points[$0] }
        if let last = points.last, step > 1 { some.append(last) }
        return some
    }

    private static func data(_ value: Any) -> Data? {
        switch value {
        case let text as String: Data(text.utf8)
        case let data as Data: data
        default: nil
        }
    }

    /// The form by the first kilobyte; nil for another document.
    private static func form(_ data: Data) -> TrackDocument.Format? {
        let start = String(decoding: data.prefix(1_024), as: UTF8.self)
        switch start.first(where: { !$0.isWhitespace && $0 != "\u{FEFF}" }) {
        case "<": return start.contains("<gpx") ? .gpx : nil
        case "{":
            return start.contains("\"Feature") || start.contains("\"LineString\"") || start.contains("\"coordinates\"")
                ? .geoJSON : nil
        default: return nil
        }
    }
}

extension TrackPoint {
    fileprivate var json: JSONValue { .array([.real(coordinate.longitude), .real(coordinate.latitude)]) }
}
