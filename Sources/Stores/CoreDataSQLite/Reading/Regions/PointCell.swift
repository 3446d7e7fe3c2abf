/// The points of an R-tree in one cell of a grid.
package struct PointCell: Sendable, Equatable {
    /// The number of the cell from the equator to the north: the latitude, divided by the cell's edge, rounded down.
    package let row: Int
    /// The same from Greenwich to the east.
    package let column: Int
    package internal(set) var count: Int
    /// The least box with the points; exact for a single point, else rounded outward to 32 bits.
    package internal(set) var south: Double
    package internal(set) var north: Double
    package internal(set) var west: Double
    package internal(set) var east: Double
    /// The key of one of the points; nil if none was read.
    var key: Int64?

    init(_ place: GridPlace, _ box: TreeBox, count: Int, key: Int64? = nil) {
        (row, column, self.count, self.key) = (place.row, place.column, count, key)
        (south, north, west, east) = (box.south, box.north, box.west, box.east)
    }

    mutating func add(_ box: TreeBox, count more: Int, key another: Int64?) {
        count += more
        (south, north) = (min(south, box.south), max(north, box.north))
        (west, east) = (min(west, box.west), max(east, box.east))
        key = key ?? another
    }
}

/// A box with two ranges of numbers, as R-trees have them: latitudes first.
package struct TreeBox: Sendable, Equatable {
    var south: Double
    var north: Double
    var west: Double
    var east: Double

    package init(latitudes: ClosedRange<Double>, longitudes: ClosedRange<Double>) {
        (south, north) = (latitudes.lowerBound, latitudes.upperBound)
        (west, east) = (longitudes.lowerBound, longitudes.upperBound)
    }

    init(south: Double, north: Double, west: Double, east: Double) {
        (self.south, self.north, self.west, self.east) = (south, north, west, east)
    }

    func overlaps(_ other: TreeBox) -> Bool {
        south <= other.north && north >= other.south && west <= other.east && east >= other.west
    }
    func contains(_ other: TreeBox) -> Bool {
        south <= other.south && north >= other.north && west <= other.west && east >= other.east
    }
    /// Whether a missing value, which R-trees have as 0, may be in it.
    var hasZero: Bool { (south <= 0 && north >= 0) || (west <= 0 && east >= 0) }
}

/// The number of a cell of a grid.
struct GridPlace: Hashable {
    let row: Int
    let column: Int

    /// The cell of a point; nil for numbers that are too large.
    init?(latitude: Double, longitude: Double, cell: Double) {
        let (row, column) = ((latitude / cell).rounded(.down), (longitude / cell).rounded(.down))
        guard abs(row) < 1e15, abs(column) < 1e15 else { return nil }
        (self.row, self.column) = (Int(row), Int(column))
    }

    /// The cell with the whole of a box; nil if it is in several.
    init?(_ box: TreeBox, cell: Double) {
        guard let low = GridPlace(latitude: box.south, longitude: box.west, cell: cell),
            let high = GridPlace(latitude: box.north, longitude: box.east, cell: cell), low == high
        else { return nil }
        self = low
    }
}
