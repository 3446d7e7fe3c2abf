import CoreDataPlaces
import Foundation

/// A closed line of a border, with the box around it.
struct BorderRing: Sendable {
    /// The units of a degree.
    static let scale = 100_000

    let code: String
    private let points: [Int32]
    private let box: (west: Int32, south: Int32, east: Int32, north: Int32)

    /// Reads the points as they lie in the store: longitudes and latitudes by turns, in little-endian 32 bits.
    ///
    /// - Returns: nil if the bytes are no ring.
    init?(code: String, data: Data) {
        guard data.count >= 24, data.count % 8 == 0 else { return nil }
        var points = [Int32](repeating: 0, count: data.count / 4)
        _ = points.withUnsafeMutableBytes { data.copyBytes(to: $0) }
        points = points.map(Int32.init(littleEndian:))
        self.init(code: code, points: points)
    }

    init?(code: String, points: [Int32]) {
        guard points.count >= 6, points.count % 2 == 0 else { return nil }
        var box = (west: points[0], south: points[1], east: points[0], north: points[1])
        for index in stride(from: 0, to: points.count, by: 2) {
            box.west = min(box.west, points[index])
            box.east = max(box.east, points[index])
            box.south = min(box.south, points[index + 1])
            box.north = max(box.north, points[index + 1])
        }
        (self.code, self.points, self.box) = (code, points, box)
    }

    /// The bytes as they lie in the store.
    var data: Data { points.map(\.littleEndian).withUnsafeBytes { Data($0) } }

    /// Whether a line from a place to the west crosses the ring an odd number of times.
    func surrounds(_ place: CLLocationCoordinate2D) -> Bool {
        let (x, y) = (place.longitude * Double(Self.scale), place.latitude * Double(Self.scale))
        guard x >= Double(box.west), x <= Double(box.east), y >= Double(box.south), y <= Double(box.north) else {
            return false
        }
        var isInside = false
        var (lastX, lastY) = (Double(points[points.count - 2]), Double(points[points.count - 1]))
        for index in stride(from: 0, to: points.count, by: 2) {
            let (nextX, nextY) = (Double(points[index]), Double(points[index + 1]))
            if (nextY > y) != (lastY > y), x < (lastX - nextX) * (y - nextY) / (lastY - nextY) + nextX {
                isInside.toggle()
            }
            (lastX, lastY) = (nextX, nextY)
        }
        return isInside
    }
}
