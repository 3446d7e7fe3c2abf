import Foundation

extension TrackDocument {
    /// The document as GeoJSON (RFC 7946) in UTF-8: a collection of features.
    ///
    /// Lines that cross the date line are cut there, and say so by the property `dateLineCuts`, by which they are joined
    /// when they are read. Times are in the property `coordTimes`. Accuracies are not written.
    ///
    /// - Throws: ``TrackError`` of code ``TrackError/Code/badCoordinate`` for a coordinate that is none.
    public func geoJSONData() throws(TrackError) -> Data {
        var features: [String] = []
        for point in waypoints {
            let properties = GeoJSONWriter.members([
                ("name", point.name.map(GeoJSONWriter.quoted)), ("desc", point.comment.map(GeoJSONWriter.quoted)),
                ("time", point.timestamp.map { GeoJSONWriter.quoted(TrackTime.text($0)) }),
            ])
            features.append(try GeoJSONWriter.feature("Point", GeoJSONWriter.position(point), properties))
        }
        for (kind, list) in [("route", routes), ("track", tracks)] {
            for track in list { features.append(try GeoJSONWriter.feature(track, kind)) }
        }
        let name = name.map { "\"name\":\(GeoJSONWriter.quoted($0))," } ?? ""
        let text = "{\"type\":\"FeatureCollection\",\(name)\"features\":[\n\(features.joined(separator: ",\n"))\n]}\n"
        return Data(text.utf8)
    }
}

/// Writes the parts of GeoJSON.
enum GeoJSONWriter {
    static func feature(_ type: String, _ coordinates: String, _ properties: String) -> String {
        "{\"type\":\"Feature\",\"properties\":{\(properties)},"
            + "\"geometry\":{\"type\":\"\(type)\",\"coordinates\":\(coordinates)}}"
    }

    static func feature(_ track: Track, _ kind: String) throws(TrackError) -> String {
        let parts = track.segments.flatMap(DateLine.parts)
        let isCut = parts.count > track.segments.count
        let hasTimes = parts.contains { $0.contains { $0.timestamp != nil } }
        var (lines, times): ([String], [String]) = ([], [])
        for part in parts {
            var positions: [String] = []
            for point in part { positions.append(try position(point)) }
            lines.append("[" + positions.joined(separator: ",") + "]")
            let texts = part.map { $0.timestamp.map { quoted(TrackTime.text($0)) } ?? "null" }
            times.append("[" + texts.joined(separator: ",") + "]")
        }
        let properties = members([
            ("name", track.name.map(quoted)), ("desc", track.comment.map(quoted)), ("kind", quoted(kind)),
            ("dateLineCuts", isCut ? "true" : nil),
            ("coordTimes", hasTimes ? "[" + times.joined(separator: ",") + "]" : nil),
        ])
        return feature("MultiLineString", "[" + lines.joined(separator: ",") + "]", properties)
    }

    static func members(_ list: [(String, String?)]) -> String {
        list.compactMap { key, value in value.map { "\"\(key)\":\($0)" } }.joined(separator: ",")
    }

    static func position(_ point: TrackPoint) throws(TrackError) -> String {
        guard CLLocationCoordinate2DIsValid(point.coordinate) else {
            throw TrackError(.badCoordinate, "a point has no valid coordinate", hint: "leave it out, or correct it")
        }
        var numbers = [point.coordinate.longitude, point.coordinate.latitude]
        if let elevation = point.elevation, elevation.isFinite { numbers.append(elevation) }
        return "[" + numbers.map(DecimalText.text).joined(separator: ",") + "]"
    }

    /// A text of JSON. Control characters and the two line separators of JavaScript are escaped.
    static func quoted(_ text: String) -> String {
        var found = "\""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\"": found += "\\\""
            case "\\": found += "\\\\"
            case "\n": found += "\\n"
            case let other where other.value < 32 || other == "\u{2028}" || other == "\u{2029}":
                let digits = String(other.value, radix: 16)
                found += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
            default: found.unicodeScalars.append(scalar)
            }
        }
        return found + "\""
    }
}
