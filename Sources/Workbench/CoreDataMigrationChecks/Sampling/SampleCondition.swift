import CoreDataGraph

/// A bound that a validation predicate of a simple form sets, such as `SELF >= 1`, `length < 20` or
/// `SELF MATCHES "[A-Z]+"`.
enum SampleCondition: Equatable {
    case least(Double)
    case greatest(Double)
    case shortest(Int)
    case longest(Int)
    case pattern(String)

    /// Reads a predicate's format; nil for any other form, which the values are then only checked against.
    init?(_ format: String) {
        let words = format.split(separator: " ", maxSplits: 2).map(String.init)
        guard words.count == 3 else { return nil }
        let (subject, comparison, value) = (words[0].uppercased(), words[1].uppercased(), words[2])
        if subject == "SELF", comparison == "MATCHES" {
            guard value.count >= 2, let quote = value.first, quote == value.last, "\"'".contains(quote) else {
                return nil
            }
            self = .pattern(String(value.dropFirst().dropLast()).replacing("\\\\", with: "\\"))
            return
        }
        guard let number = Double(value), number.isFinite, abs(number) <= 1e15 else { return nil }
        // The next number beyond a bound that is not allowed itself.
        let isWhole = number == number.rounded()
        switch (subject, comparison) {
        case ("SELF", ">="): self = .least(number)
        case ("SELF", "<="): self = .greatest(number)
        case ("SELF", ">"): self = .least(isWhole ? number + 1 : number.nextUp)
        case ("SELF", "<"): self = .greatest(isWhole ? number - 1 : number.nextDown)
        case ("LENGTH", ">="): self = .shortest(Int(number.rounded(.up)))
        case ("LENGTH", ">"): self = .shortest(Int(number.rounded(.down)) + 1)
        case ("LENGTH", "<="): self = .longest(Int(number.rounded(.down)))
        case ("LENGTH", "<"): self = .longest(Int(number.rounded(.up)) - 1)
        default: return nil
        }
    }
}
