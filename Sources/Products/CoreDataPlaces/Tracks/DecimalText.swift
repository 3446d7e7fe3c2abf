import Foundation

/// Numbers as decimal digits without an exponent, which lose nothing.
enum DecimalText {
    /// The shortest digits from which the same number is read.
    static func text(_ number: Double) -> String {
        let shortest = "\(number)"
        guard let mark = shortest.firstIndex(where: { $0 == "e" || $0 == "E" }) else {
            return shortest.hasSuffix(".0") ? String(shortest.dropLast(2)) : shortest
        }
        guard let exponent = Int(shortest[shortest.index(after: mark)...]) else { return shortest }
        let digits = shortest[..<mark].filter { $0 != "." && $0 != "-" }
        let whole = shortest[..<mark].filter { $0 != "-" }.prefix { $0 != "." }.count + exponent
        let sign = number < 0 ? "-" : ""
        if whole <= 0 { return sign + "0." + String(repeating: "0", count: -whole) + digits }
        if whole >= digits.count { return sign + digits + String(repeating: "0", count: whole - digits.count) }
        let split = digits.index(digits.startIndex, offsetBy: whole)
        return sign + digits[..<split] + "." + digits[split...]
    }
}
