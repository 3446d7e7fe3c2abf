import CoreData

extension Data {
    /// Length, first byte, and whether all bytes are like it; enough for data that repeat one byte.
    var outline: String { "\(count):\(first.map(Int.init) ?? -1):\(dropFirst() == dropLast() ? "whole" : "mixed")" }
}
