import Foundation

/// The borders of countries as the browser's base map has them: see Scripts/make-land.
struct BorderFile: Decodable {
    struct Country: Decodable {
        let code: String?
        let name: String
        let rings: [[Int]]
    }
    let scale: Int
    let countries: [Country]

    /// - Throws: ``GazetteerError``.
    init(contentsOf url: URL) throws(GazetteerError) {
        let data: Data
        do { data = try Data(contentsOf: url) } catch {
            throw GazetteerError(.unreadable, url, "the borders cannot be read", hint: "give the file countries.json")
        }
        do { self = try JSONDecoder().decode(BorderFile.self, from: data) } catch {
            throw GazetteerError(
                .badSource, url, "the file is no file of borders", hint: "Scripts/make-land makes one")
        }
        guard scale > 0, scale <= BorderRing.scale, BorderRing.scale % scale == 0 else {
            throw GazetteerError(
                .badSource, url, "the scale is not a divisor of \(BorderRing.scale)",
                hint: "Scripts/make-land makes one")
        }
    }

    /// The points of a ring in the scale of the store, longitude and latitude by turns; nil if they leave the Earth.
    func points(_ ring: [Int]) -> [Int32]? {
        guard ring.count >= 6, ring.count % 2 == 0 else { return nil }
        let factor = BorderRing.scale / scale
        var (x, y) = (0, 0)
        var points: [Int32] = []
        for index in stride(from: 0, to: ring.count, by: 2) {
            guard abs(ring[index]) <= 400 * scale, abs(ring[index + 1]) <= 400 * scale else { return nil }
            (x, y) = (x + ring[index], y + ring[index + 1])
            guard abs(x) <= 180 * scale, abs(y) <= 90 * scale else { return nil }
            points += [Int32(x * factor), Int32(y * factor)]
        }
        return points
    }
}
