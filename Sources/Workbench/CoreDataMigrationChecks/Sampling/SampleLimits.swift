import CoreDataGraph

/// The bounds that a model's validation rules set for an attribute's values; moves sample values into these bounds.
struct SampleLimits {
    private var least: Double?
    private var greatest: Double?
    private var earliest: Date?
    private var latest: Date?
    private var shortest = 0
    private var longest: Int?
    /// The regular expression that texts have to match.
    private(set) var pattern: String?

    init(_ attribute: NSAttributeDescription) {
        for rule in attribute.validationRules {
            switch rule.check {
            case .minimum(let limit): least = NSDecimalNumber(decimal: limit).doubleValue
            case .maximum(let limit): greatest = NSDecimalNumber(decimal: limit).doubleValue
            case .earliest(let limit): earliest = limit
            case .latest(let limit): latest = limit
            case .minimumLength(let limit): shortest = limit
            case .maximumLength(let limit): longest = limit
            case .pattern(let text): pattern = text
            case .predicate(let format): take(SampleCondition(format))
            }
        }
    }

    /// Narrows the bounds to those of a condition.
    private mutating func take(_ condition: SampleCondition?) {
        switch condition {
        case .least(let limit): least = max(least ?? -.infinity, limit)
        case .greatest(let limit): greatest = min(greatest ?? .infinity, limit)
        case .shortest(let limit): shortest = max(shortest, limit)
        case .longest(let limit): longest = min(longest ?? .max, limit)
        case .pattern(let text): pattern = text
        case nil: break
        }
    }

    /// Maps a number to an integer within the bounds of the rules and of the type; wraps around if the range is
    /// smaller.
    func integer(_ number: Int, _ type: NSAttributeType) -> Int {
        let widest = type == .integer16AttributeType ? Double(Int16.max) : Double(Int32.max)
        let low = Int(max(least?.rounded(.up) ?? 0, -widest))
        let high = Int(min(greatest?.rounded(.down) ?? widest, widest))
        guard high >= low else { return low }
        return low + number % (high - low + 1)
    }

    func real(_ number: Double) -> Double {
        let low = least ?? (greatest.map { $0 - 1_000 } ?? 0)
        let high = greatest ?? .infinity
        guard low + number > high else { return low + number }
        return low + (high - low) * number.truncatingRemainder(dividingBy: 100) / 100
    }

    func date(_ seconds: Double) -> Date {
        let date = Date(timeIntervalSinceReferenceDate: seconds)
        let days = seconds.truncatingRemainder(dividingBy: 1_000_000)
        switch (earliest, latest) {
        case (let earliest?, let latest?):
            return earliest.addingTimeInterval(latest.timeIntervalSince(earliest) * days / 1_000_000)
        case (let earliest?, nil): return max(date, earliest.addingTimeInterval(days))
        case (nil, let latest?): return min(date, latest.addingTimeInterval(-days))
        default: return date
        }
    }

    /// Pads or truncates a text at its start to fit the lengths allowed: the end has the number that distinguishes it.
    func text(_ text: String) -> String {
        var text = text
        if text.utf16.count < shortest { text = String(repeating: "x", count: shortest - text.utf16.count) + text }
        guard let longest, text.utf16.count > longest else { return text }
        return String(text.suffix(max(longest, 0)))
    }
}
