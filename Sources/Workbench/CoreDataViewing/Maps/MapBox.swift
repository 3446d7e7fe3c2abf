import CoreData

/// A part of the map between two meridians and two parallels, in millionths of a degree.
///
/// If `west` is greater than `east`, the box crosses the date line.
package struct MapBox: Hashable, Sendable {
    private static let unit = 1_000_000.0
    package static let world = MapBox(west: -180, south: -90, east: 180, north: 90)

    private let edges: [Int]

    package var west: Double { Double(edges[0]) / Self.unit }
    package var south: Double { Double(edges[1]) / Self.unit }
    package var east: Double { Double(edges[2]) / Self.unit }
    package var north: Double { Double(edges[3]) / Self.unit }

    package var isAcrossDateLine: Bool { west > east }
    /// The greater of its height and its width, in degrees.
    var extent: Double { max(north - south, isAcrossDateLine ? east - west + 360 : east - west) }

    /// A box whose edges are rounded outwards to millionths, and limited to the edges of the world.
    init(west: Double, south: Double, east: Double, north: Double) {
        func edge(_ value: Double, _ bound: Double, _ rule: FloatingPointRoundingRule) -> Int {
            let held = value.isFinite ? min(max(value, -bound), bound) : -bound
            return Int((held * Self.unit).rounded(rule))
        }
        edges = [edge(west, 180, .down), edge(south, 90, .down), edge(east, 180, .up), edge(north, 90, .up)]
    }

    /// Reads a text: west, south, east and north in degrees, separated by commas.
    ///
    /// - Throws: `InspectionError` of code `badValue`.
    package init(_ text: String) throws {
        let parts = text.split(separator: ",", omittingEmptySubsequences: false)
        let numbers = parts.compactMap { Double($0.trimmingCharacters(in: .whitespaces)) }
        guard parts.count == 4, numbers.count == 4, numbers.allSatisfy(\.isFinite),
            [numbers[0], numbers[2]].allSatisfy({ (-180...180).contains($0) }),
            [numbers[1], numbers[3]].allSatisfy({ (-90...90).contains($0) }), numbers[1] <= numbers[3]
        else {
            throw InspectionError(
                .badValue, subject: "box", cause: "it is not a part of the map",
                hint:
                    "give west,south,east,north in degrees, as -10,35,30,60; a west beyond the east crosses the date line"
            )
        }
        self.init(west: numbers[0], south: numbers[1], east: numbers[2], north: numbers[3])
    }

    /// The box with a margin around it.
    func widened() -> MapBox {
        let room = max(extent / 20, 0.01)
        return MapBox(west: west - room, south: south - room, east: east + room, north: north + room)
    }

    /// The text of a predicate, for lists, that selects the objects within the box.
    package func condition(on pair: CoordinatePair) -> String {
        let edges = edges.map(Self.text)
        let parallels = "\(pair.latitude) BETWEEN {\(edges[1]), \(edges[3])}"
        guard isAcrossDateLine else {
            return "\(parallels) AND \(pair.longitude) BETWEEN {\(edges[0]), \(edges[2])}"
        }
        return "\(parallels) AND (\(pair.longitude) BETWEEN {\(edges[0]), 180} OR "
            + "\(pair.longitude) BETWEEN {-180, \(edges[2])})"
    }

    /// The box in one or two parts that do not cross the date line.
    var treeBoxes: [TreeBox] {
        guard south <= north else { return [] }
        guard isAcrossDateLine else { return [TreeBox(latitudes: south...north, longitudes: west...east)] }
        return [
            TreeBox(latitudes: south...north, longitudes: west...180),
            TreeBox(latitudes: south...north, longitudes: -180...east),
        ]
    }

    package var json: JSONValue { .array([west, south, east, north].map { .real($0) }) }

    /// Degrees as decimal text, without an exponent.
    private static func text(_ millionths: Int) -> String {
        let (whole, rest) = abs(millionths).quotientAndRemainder(dividingBy: Int(unit))
        var digits = String(String(rest + Int(unit)).dropFirst())
        while digits.last == "0" { digits.removeLast() }
        return (millionths < 0 ? "-" : "") + "\(whole)" + (digits.isEmpty ? "" : ".\(digits)")
    }
}
