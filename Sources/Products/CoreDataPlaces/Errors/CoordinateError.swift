import Foundation

/// A number that is no latitude or longitude, with the name of its attribute.
public struct CoordinateError: Error, Sendable, Hashable, CustomStringConvertible, LocalizedError {
    /// The name of the number that is wrong.
    public let attribute: String
    /// What is wrong, in a sentence.
    public let reason: String
    /// What to do about it.
    public let hint: String
    /// Whether the two numbers would be a coordinate if they were exchanged.
    public let wouldFitExchanged: Bool

    init(attribute: String, value: Double, bound: Int, wouldFitExchanged: Bool) {
        self.attribute = attribute
        self.wouldFitExchanged = wouldFitExchanged
        let range = "is not a number from -\(bound) to \(bound)"
        reason =
            value.isFinite ? "the value of \(attribute) \(range)" : "\(attribute) has no finite value and so \(range)"
        hint =
            wouldFitExchanged
            ? "the numbers would be a place if latitude and longitude were exchanged"
            : "give degrees as decimal numbers, south and west of zero negative"
    }

    /// The sentence and the hint.
    public var description: String { "\(reason); \(hint)" }
    /// The sentence and the hint.
    public var errorDescription: String? { description }
}
