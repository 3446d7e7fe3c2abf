import Foundation

extension TrackDocument {
    /// The document as GPX 1.1 in UTF-8. Points that are no coordinates are left out of nothing: they are refused.
    ///
    /// - Throws: ``TrackError`` of code ``TrackError/Code/badCoordinate`` for a coordinate that is none.
    public func gpxData() throws(TrackError) -> Data {
        var writer = GPXWriter()
        try writer.write(self)
        return Data(writer.text.utf8)
    }
}

/// Writes GPX 1.1. Numbers never have an exponent, which the schema's `decimal` forbids.
struct GPXWriter {
    private(set) var text = ""

    mutating func write(_ document: TrackDocument) throws(TrackError) {
        text = """
            <?xml version="1.0" encoding="UTF-8"?>
            <gpx version="1.1" creator="OpenCoreData" xmlns="http://www.topografix.com/GPX/1/1">

            """
        if let name = document.name { text += " <metadata><name>\(Self.escaped(name))</name></metadata>\n" }
        for point in document.waypoints { try write(point, "wpt", " ") }
        for route in document.routes {
            text += " <rte>\n" + Self.words(route.name, route.comment, "  ")
            for point in route.points { try write(point, "rtept", "  ") }
            text += " </rte>\n"
        }
        for track in document.tracks {
            text += " <trk>\n" + Self.words(track.name, track.comment, "  ")
            for segment in track.segments {
                text += "  <trkseg>\n"
                for point in segment { try write(point, "trkpt", "   ") }
                text += "  </trkseg>\n"
            }
            text += " </trk>\n"
        }
        text += "</gpx>\n"
    }

    private mutating func write(_ point: TrackPoint, _ name: String, _ indent: String) throws(TrackError) {
        guard CLLocationCoordinate2DIsValid(point.coordinate) else {
            throw TrackError(.badCoordinate, "a point has no valid coordinate", hint: "leave it out, or correct it")
        }
        let latitude = DecimalText.text(point.coordinate.latitude)
        let longitude = DecimalText.text(point.coordinate.longitude)
        text += "\(indent)<\(name) lat=\"\(latitude)\" lon=\"\(longitude)\">"
        if let elevation = point.elevation, elevation.isFinite { text += "<ele>\(DecimalText.text(elevation))</ele>" }
        if let time = point.timestamp { text += "<time>\(TrackTime.text(time))</time>" }
        text += Self.element("name", point.name) + Self.element("desc", point.comment)
        if let accuracy = point.horizontalAccuracy, accuracy.isFinite, accuracy >= 0 {
            text += "<hdop>\(DecimalText.text(accuracy / GPXUnits.metresPerDilution))</hdop>"
        }
        text += "</\(name)>\n"
    }

    private static func words(_ name: String?, _ comment: String?, _ indent: String) -> String {
        let text = element("name", name) + element("desc", comment)
        return text.isEmpty ? "" : indent + text + "\n"
    }

    private static func element(_ name: String, _ value: String?) -> String {
        value.map { "<\(name)>\(escaped($0))</\(name)>" } ?? ""
    }

    /// Text with the characters of markup as entities, without those that XML cannot hold.
    private static func escaped(_ value: String) -> String {
        var text = ""
        for scalar in value.unicodeScalars {
            switch scalar {
            case "&": text += "&amp;"
            case "<": text += "&lt;"
            case ">": text += "&gt;"
            case "\"": text += "&quot;"
            case "\r": text += "&#13;"
            case let other where other.value < 32 && other != "\n" && other != "\t": continue
            case "\u{FFFE}", "\u{FFFF}": continue
            default: text.unicodeScalars.append(scalar)
            }
        }
        return text
    }
}
