import Foundation

/// What a file of tracks has: points on their own, planned routes, recorded tracks. Read from and written as GPX 1.1 and
/// GeoJSON.
public struct TrackDocument: Sendable, Hashable {
    /// The name of the whole.
    public var name: String?
    /// Points on their own.
    public var waypoints: [TrackPoint]
    /// Planned ways, of one segment each.
    public var routes: [Track]
    /// Recorded ways.
    public var tracks: [Track]

    /// Makes a document.
    public init(name: String? = nil, waypoints: [TrackPoint] = [], routes: [Track] = [], tracks: [Track] = []) {
        (self.name, self.waypoints, self.routes, self.tracks) = (name, waypoints, routes, tracks)
    }

    /// How much is read before a file is refused.
    public struct Limits: Sendable {
        /// The bytes of a file.
        public var bytes: Int
        /// The points of all tracks together.
        public var points: Int
        /// How deep elements lie in one another.
        public var depth = 64
        /// The bytes of one text or number.
        public var text = 64 * 1024

        /// Makes limits; 1 GiB and five million points unless said otherwise.
        public init(bytes: Int = 1 << 30, points: Int = 5_000_000) { (self.bytes, self.points) = (bytes, points) }
    }

    /// The forms of files.
    public enum Format: String, Sendable, CaseIterable {
        /// GPX 1.0 or 1.1, XML.
        case gpx
        /// RFC 7946.
        case geoJSON
    }

    /// Reads a file in pieces, so that only the points are in memory. The form is found by the first byte.
    ///
    /// - Throws: ``TrackError`` with line and column.
    public init(contentsOf url: URL, limits: Limits = Limits()) throws(TrackError) {
        let file: FileHandle
        do { file = try FileHandle(forReadingFrom: url) } catch {
            throw TrackError(.unreadable, "the file cannot be read: \(url.lastPathComponent)", hint: "look at its path")
        }
        defer { try? file.close() }
        try self.init(ByteReader(limit: limits.bytes) { try file.read(upToCount: 64 * 1024) ?? Data() }, limits)
    }

    /// Reads bytes that are in memory. The form is found by the first byte.
    ///
    /// - Throws: ``TrackError`` with line and column.
    public init(data: Data, limits: Limits = Limits()) throws(TrackError) {
        var rest: Data? = data
        let reader = ByteReader(limit: limits.bytes) {
            defer { rest = nil }
            return rest ?? Data()
        }
        try self.init(reader, limits)
    }

    private init(_ bytes: ByteReader, _ limits: Limits) throws(TrackError) {
        try bytes.skipMark()
        try bytes.skipBlanks()
        switch try bytes.peek() {
        case UInt8(ascii: "<"):
            var reader = GPXReader(XMLTokenizer(bytes, limits), limits)
            self = try reader.read()
        case UInt8(ascii: "{"):
            var reader = GeoJSONReader(limits)
            self = try reader.read(JSONTokenizer(bytes, limits))
        case nil: throw bytes.error(.malformed, "the file is empty", hint: "give a file in GPX or GeoJSON")
        default:
            throw bytes.error(
                .malformed, "the file begins with neither < nor {", hint: "give a file in GPX or GeoJSON, in UTF-8")
        }
    }
}
