import Foundation

/// Reads GPX 1.0 and 1.1: waypoints, routes and tracks. Elements of other vocabularies and extensions are passed over.
///
/// Source: the schema of GPX 1.1, topografix.com/GPX/1/1. Points are read in the order of the document.
struct GPXReader {
    private var tokens: XMLTokenizer
    private let limits: TrackDocument.Limits
    private var document = TrackDocument()
    private var path: [String] = []
    private var point: TrackPoint?
    private var track: Track?
    private var text = ""
    private var count = 0
    /// The elements below the root of passed-over elements; 0 if none is.
    private var skipped = 0

    /// The blanks of XML, which lay out a document.
    private static let blanks = CharacterSet(charactersIn: " \t\r\n")
    private static let points: Set = ["wpt", "rtept", "trkpt"]

    init(_ tokens: XMLTokenizer, _ limits: TrackDocument.Limits) { (self.tokens, self.limits) = (tokens, limits) }

    mutating func read() throws(TrackError) -> TrackDocument {
        while let token = try tokens.next() {
            switch token {
            case .start(let name, let attributes, let place): try begin(Self.local(name), attributes, place)
            case .end: try end()
            case .text(let piece):
                guard skipped == 0 else { continue }
                text += piece
                guard text.utf8.count <= limits.text else {
                    throw tokens.error(.tooLarge, "a text is longer than \(limits.text) bytes")
                }
            }
        }
        return document
    }

    /// A name without the prefix of its name space.
    private static func local(_ name: String) -> String {
        name.firstIndex(of: ":").map { String(name[name.index(after: $0)...]) } ?? name
    }

    private mutating func begin(
        _ name: String, _ attributes: [String: String], _ place: TextPosition
    ) throws(TrackError) {
        text = ""
        guard skipped == 0 else {
            skipped += 1
            return
        }
        if path.isEmpty, name != "gpx" {
            throw tokens.error(
                .otherFormat, "the outermost element is \(name.prefix(40)) and not gpx", hint: "give a file in GPX",
                at: place)
        }
        if name == "extensions" {
            skipped = 1
            return
        }
        path.append(name)
        switch name {
        case "trk", "rte": track = Track(segments: name == "rte" ? [[]] : [])
        case "trkseg": track?.segments.append([])
        case let name where Self.points.contains(name):
            guard point == nil else { throw tokens.error(.badValue, "a point lies within a point", at: place) }
            point = TrackPoint(coordinate: try coordinate(name, attributes, place))
            count += 1
            guard count <= limits.points else {
                throw tokens.error(
                    .tooLarge, "there are more than \(limits.points) points", hint: "divide the file", at: place)
            }
        default: break
        }
    }

    private func coordinate(
        _ name: String, _ attributes: [String: String], _ place: TextPosition
    ) throws(TrackError) -> CLLocationCoordinate2D {
        func number(_ key: String) throws(TrackError) -> Double {
            guard let text = attributes[key] else {
                throw tokens.error(.badCoordinate, "\(name) has no attribute \(key)", at: place)
            }
            guard let number = Double(text.trimmingCharacters(in: .whitespacesAndNewlines)) else {
                throw tokens.error(
                    .badCoordinate, "the attribute \(key) of \(name) is not a number",
                    hint: text.contains(",") ? "write a decimal point" : "", at: place)
            }
            return number
        }
        let (latitude, longitude) = (try number("lat"), try number("lon"))
        do {
            return try CLLocationCoordinate2D(
                validatingLatitude: latitude, longitude: longitude, names: ("lat", "lon"))
        } catch {
            throw tokens.error(.badCoordinate, error.reason, hint: error.hint, at: place)
        }
    }

    private mutating func end() throws(TrackError) {
        guard skipped == 0 else {
            skipped -= 1
            text = ""
            return
        }
        guard let name = path.popLast() else { return }
        let value = text.trimmingCharacters(in: Self.blanks)
        text = ""
        switch name {
        case let name where Self.points.contains(name): finishPoint(name)
        case "trk", "rte": finishTrack(name)
        case "name", "desc", "cmt": note(name, value)
        case "ele", "time", "hdop": try measure(name, value)
        default: break
        }
    }

    private mutating func finishPoint(_ name: String) {
        guard let point else { return }
        self.point = nil
        guard name != "wpt" else { return document.waypoints.append(point) }
        guard let last = track?.segments.indices.last else { return document.waypoints.append(point) }
        track?.segments[last].append(point)
    }

    private mutating func finishTrack(_ name: String) {
        guard var track else { return }
        self.track = nil
        track.segments.removeAll(where: \.isEmpty)
        if name == "rte" { document.routes.append(track) } else { document.tracks.append(track) }
    }

    private mutating func note(_ name: String, _ value: String) {
        guard !value.isEmpty else { return }
        switch path.last {
        case let parent? where Self.points.contains(parent):
            if name == "name" {
                point?.name = value
            } else if point?.comment == nil {
                point?.comment = value
            }
        case "trk", "rte":
            if name == "name" {
                track?.name = value
            } else if track?.comment == nil {
                track?.comment = value
            }
        case "metadata", "gpx": if name == "name" { document.name = value }
        default: break
        }
    }

    private mutating func measure(_ name: String, _ value: String) throws(TrackError) {
        guard let parent = path.last, Self.points.contains(parent), !value.isEmpty else { return }
        if name == "time" {
            guard let time = TrackTime.date(value) else {
                throw tokens.error(.badValue, "the time of \(parent) is not written as in ISO 8601")
            }
            point?.timestamp = time
            return
        }
        guard let number = Double(value), number.isFinite else {
            throw tokens.error(.badValue, "\(name) of \(parent) is not a number")
        }
        if name == "ele" {
            point?.elevation = number
        } else {
            point?.horizontalAccuracy = max(number, 0) * GPXUnits.metresPerDilution
        }
    }
}

/// How GPX measures what this module has in metres.
enum GPXUnits {
    /// The error of a receiver in metres where the dilution is 1.
    static let metresPerDilution = 5.0
}
