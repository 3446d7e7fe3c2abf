import Foundation

/// The calculation that takes its time: the square roots of 1 to a number, each with what the label says of it.
struct SquareRoots: Sendable {
    let count: Int
    /// Takes one root; a program that shows what blocks whom takes a slow one.
    let root: @Sendable (Int) -> Double

    init(count: Int = 10_000, root: @escaping @Sendable (Int) -> Double = { Double($0).squareRoot() }) {
        (self.count, self.root) = (max(0, count), root)
    }

    /// Calculates one root and returns what the label says.
    func text(_ number: Int) -> String { String(format: "Square Root of %d is %.3f", number, root(number)) }
}
