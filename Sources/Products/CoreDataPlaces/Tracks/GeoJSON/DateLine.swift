import Foundation

/// Lines across the date line: cut there for GeoJSON, as RFC 7946 (3.1.9) wants, and joined.
enum DateLine {
    /// A line in parts none of which crosses the date line; each ends and begins at ±180, at the latitude and elevation
    /// between its neighbours. The points of the cuts have no time.
    static func parts(_ line: [TrackPoint]) -> [[TrackPoint]] {
        guard var last = line.first else { return [] }
        var parts: [[TrackPoint]] = []
        var part = [last]
        for point in line.dropFirst() {
            let (from, to) = (last.coordinate, point.coordinate)
            if abs(to.longitude - from.longitude) > 180 {
                let edge: Double = from.longitude > 0 ? 180 : -180
                let whole = 360 - abs(to.longitude - from.longitude)
                let share = whole > 0 ? abs(edge - from.longitude) / whole : 0
                let latitude = from.latitude + (to.latitude - from.latitude) * share
                var elevation: Double?
                if let low = last.elevation, let high = point.elevation { elevation = low + (high - low) * share }
                let ends = [edge, -edge].map {
                    TrackPoint(
                        coordinate: CLLocationCoordinate2D(latitude: latitude, longitude: $0), elevation: elevation)
                }
                parts.append(part + [ends[0]])
                part = [ends[1]]
            }
            part.append(point)
            last = point
        }
        return parts + [part]
    }

    /// Joins parts that ``parts(_:)`` made: one ends at ±180 where the next begins on the other side.
    static func joined(_ parts: [[TrackPoint]]) -> [[TrackPoint]] {
        var lines: [[TrackPoint]] = []
        for part in parts {
            guard let end = lines.last?.last?.coordinate, let start = part.first?.coordinate,
                abs(end.longitude) == 180, start.longitude == -end.longitude, start.latitude == end.latitude
            else {
                lines.append(part)
                continue
            }
            lines[lines.count - 1].removeLast()
            lines[lines.count - 1] += part.dropFirst()
        }
        return lines
    }
}
