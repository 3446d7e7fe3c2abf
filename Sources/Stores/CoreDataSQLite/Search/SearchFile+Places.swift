import CoreDataSQL
import SQLiteKit

/// A row's position in the plane of a pair of coordinates.
struct SearchPlace: Equatable {
    let x: Double
    let y: Double

    /// Makes the position of stored values; nil if one of them is null.
    init?(_ x: Value, _ y: Value) {
        guard x != .null, y != .null else { return nil }
        self.x = SearchPair.place(of: Self.number(x))
        self.y = SearchPair.place(of: Self.number(y))
    }

    private static func number(_ value: Value) -> Double? {
        switch value {
        case .integer(let integer): Double(integer)
        case .real(let real): real
        case .null, .text, .blob: nil
        }
    }
}

extension SearchFile {
    /// Sets the position that the index has for a row and a pair; nil removes it.
    func replace(pair number: Int, _ key: Int64, by place: SearchPlace?) throws {
        let row = try connection.rows("SELECT x, y FROM box\(number) WHERE key = ?", [.integer(key)]).first
        let former = row.flatMap { $0.count == 2 ? SearchPlace($0[0], $0[1]) : nil }
        guard former != place else { return }
        if row != nil { try connection.execute("DELETE FROM box\(number) WHERE key = ?", [.integer(key)]) }
        guard let place else { return }
        let (x, y) = (Value.real(place.x), Value.real(place.y))
        try connection.execute(
            "INSERT INTO box\(number) VALUES (?, ?, ?, ?, ?, ?, ?)", [.integer(key), x, x, y, y, x, y])
    }
}
