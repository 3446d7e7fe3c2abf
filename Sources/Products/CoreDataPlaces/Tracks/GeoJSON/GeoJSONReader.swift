import Foundation

/// Reads GeoJSON (RFC 7946): points become waypoints, lines tracks. Times are those of `coordTimes` in the properties,
/// a convention of converters from GPX.
struct GeoJSONReader {
    private let limits: TrackDocument.Limits
    private var document = TrackDocument()
    private var count = 0
    private var place = TextPosition()

    init(_ limits: TrackDocument.Limits) { self.limits = limits }

    mutating func read(_ tokens: JSONTokenizer) throws(TrackError) -> TrackDocument {
        var tokens = tokens
        let root = try tokens.document()
        document.name = root["name"]?.text
        try read(root, properties: nil)
        return document
    }

    private func error(_ code: TrackError.Code, _ reason: String, hint: String = "") -> TrackError {
        TrackError(code, reason, hint: hint, line: place.line, column: place.column)
    }

    private mutating func read(_ value: JSONNode, properties: JSONNode?) throws(TrackError) {
        place = value.position ?? place
        switch value["type"]?.text {
        case "FeatureCollection":
            guard let features = value["features"]?.elements else { throw error(.badValue, "features is not a list") }
            for feature in features { try read(feature, properties: nil) }
        case "Feature":
            if let geometry = value["geometry"], geometry.position != nil {
                try read(geometry, properties: value["properties"])
            }
        case "GeometryCollection":
            guard let parts = value["geometries"]?.elements else { throw error(.badValue, "geometries is not a list") }
            for part in parts { try read(part, properties: properties) }
        case let type?:
            guard let coordinates = value["coordinates"] else { throw error(.badValue, "\(type) has no coordinates") }
            try geometry(type, coordinates, properties)
        case nil:
            throw error(.otherFormat, "an object has no type", hint: "GeoJSON has one in each: give a file in GeoJSON")
        }
    }

    private mutating func geometry(_ type: String, _ coordinates: JSONNode, _ properties: JSONNode?) throws(TrackError)
    {
        let name = properties?["name"]?.text
        let comment = properties?["desc"]?.text
        switch type {
        case "Point":
            var point = try self.point(coordinates)
            (point.name, point.comment) = (name, comment)
            point.timestamp = try time(properties?["time"])
            document.waypoints.append(point)
        case "MultiPoint": document.waypoints += try line(coordinates, nil)
        case "LineString":
            let times = properties?["coordTimes"]?.elements
            add(Track(name: name, comment: comment, segments: [try line(coordinates, times)]), properties)
        case "MultiLineString", "Polygon": try add(lines: coordinates, properties, name, comment)
        case "MultiPolygon":
            for polygon in coordinates.elements ?? [] { try add(lines: polygon, properties, name, comment) }
        default: throw error(.otherFormat, "\(type.prefix(40)) is no type of GeoJSON")
        }
    }

    private mutating func add(
        lines: JSONNode, _ properties: JSONNode?, _ name: String?, _ comment: String?
    ) throws(TrackError) {
        guard let elements = lines.elements else { throw error(.badValue, "the coordinates are not a list of lines") }
        let times = properties?["coordTimes"]?.elements
        var segments: [[TrackPoint]] = []
        for (number, element) in elements.enumerated() {
            let own = times.flatMap { $0.indices.contains(number) ? $0[number].elements : nil }
            segments.append(try line(element, own))
        }
        if case .flag(true)? = properties?["dateLineCuts"] { segments = DateLine.joined(segments) }
        add(Track(name: name, comment: comment, segments: segments), properties)
    }

    private mutating func add(_ track: Track, _ properties: JSONNode?) {
        var track = track
        track.segments.removeAll(where: \.isEmpty)
        if properties?["kind"]?.text == "route" { document.routes.append(track) } else { document.tracks.append(track) }
    }

    private mutating func line(_ value: JSONNode, _ times: [JSONNode]?) throws(TrackError) -> [TrackPoint] {
        guard let elements = value.elements else { throw error(.badValue, "a line is not a list of positions") }
        place = value.position ?? place
        var points: [TrackPoint] = []
        points.reserveCapacity(elements.count)
        for (number, element) in elements.enumerated() {
            var point = try self.point(element)
            if let times, times.indices.contains(number) { point.timestamp = try time(times[number]) }
            points.append(point)
        }
        return points
    }

    private func time(_ value: JSONNode?) throws(TrackError) -> Date? {
        guard let text = value?.text else { return nil }
        guard let date = TrackTime.date(text) else { throw error(.badValue, "a time is not written as in ISO 8601") }
        return date
    }

    private mutating func point(_ value: JSONNode) throws(TrackError) -> TrackPoint {
        place = value.position ?? place
        guard case .numbers(let numbers, _) = value, numbers.count >= 2 else {
            throw error(
                .badCoordinate, "a position is not a list of two or more numbers", hint: "write [longitude, latitude]")
        }
        count += 1
        guard count <= limits.points else {
            throw error(.tooLarge, "there are more than \(limits.points) points", hint: "divide the file")
        }
        do {
            let coordinate = try CLLocationCoordinate2D(validatingLatitude: numbers[1], longitude: numbers[0])
            return TrackPoint(coordinate: coordinate, elevation: numbers.count > 2 ? numbers[2] : nil)
        } catch {
            let order = "the order seems wrong: GeoJSON has the longitude first, then the latitude"
            throw self.error(.badCoordinate, error.reason, hint: error.wouldFitExchanged ? order : error.hint)
        }
    }
}
