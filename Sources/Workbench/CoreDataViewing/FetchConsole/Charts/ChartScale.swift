import CoreData

/// The scale of a chart's axis, with marks at round numbers.
struct ChartScale {
    let least: Double
    let greatest: Double
    let marks: [Double]

    /// A scale that covers values, with about `count` marks; `includesZero` extends it to zero. Integers have integer
    /// marks.
    init(_ values: [Double], includesZero: Bool, marks count: Int = 5) {
        let values = values.filter(\.isFinite)
        var low = values.min() ?? 0
        var high = values.max() ?? 1
        if includesZero { (low, high) = (min(low, 0), max(high, 0)) }
        if low == high { (low, high) = low == 0 ? (0, 1) : (low - abs(low) / 2, high + abs(high) / 2) }
        let isWhole = values.allSatisfy { $0 == $0.rounded() }
        let step = max(Self.roundStep((high / Double(count)) - (low / Double(count))), isWhole ? 1 : 0)
        guard step.isFinite, step > 0 else {
            (least, greatest, marks) = (low, high, [low, high])
            return
        }
        let first = (low / step).rounded(.down)
        let last = (high / step).rounded(.up)
        (least, greatest) = (first * step, last * step)
        // Beyond 2^53, adding 1 to a Double may have no effect, so there could be too many marks.
        marks = last - first <= 50 ? (0...Int(last - first)).map { (first + Double($0)) * step } : [low, high]
    }

    /// A scale from the least to the greatest value, without marks; nil for no values and for infinite ones.
    init?(endingAt values: [Double]) {
        guard let low = values.min(), let high = values.max(), low.isFinite, high.isFinite else { return nil }
        (least, greatest, marks) = (low, high, [])
    }

    /// The least product of 1, 2 or 5 and a power of ten that is at least `length`.
    private static func roundStep(_ length: Double) -> Double {
        guard length > 0, length.isFinite else { return 1 }
        let power = pow(10, log10(length).rounded(.down))
        let factor = length / power
        return power * (factor <= 1 ? 1 : factor <= 2 ? 2 : factor <= 5 ? 5 : 10)
    }

    /// The position of a value between the ends of the scale, from 0 to 1.
    func place(_ value: Double) -> Double {
        let length = greatest - least
        guard length > 0, length.isFinite else { return greatest == least ? 0 : value / greatest / 2 + 0.5 }
        return min(max((value - least) / length, 0), 1)
    }

    /// A number as an axis shows it: `12,500`, `1.5M`, `2e+21`.
    static func text(_ value: Double) -> String {
        let size = abs(value)
        guard value != 0, size.isFinite else { return size.isFinite ? "0" : "∞" }
        if size >= 1e15 || size < 1e-4 { return String(format: "%.3g", value) }
        for (unit, letter) in [(1e12, "T"), (1e9, "G"), (1e6, "M")] where size >= unit {
            return digits(value / unit) + letter
        }
        return digits(value)
    }

    /// A number with at most three digits of fraction, and commas between thousands.
    private static func digits(_ value: Double) -> String {
        let size = abs(value)
        var text = String(format: size >= 100 ? "%.1f" : "%.3f", size)
        while text.last == "0" { text.removeLast() }
        if text.last == "." { text.removeLast() }
        let parts = text.split(separator: ".")
        var whole = ""
        for (place, digit) in (parts.first ?? "0").reversed().enumerated() {
            if place > 0, place.isMultiple(of: 3) { whole.insert(",", at: whole.startIndex) }
            whole.insert(digit, at: whole.startIndex)
        }
        return (value < 0 ? "−" : "") + whole + (parts.count > 1 ? "." + parts[1] : "")
    }
}
